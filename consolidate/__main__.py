"""``python -m consolidate`` is the ``consolidate`` command."""

from consolidate.cli.main import main

if __name__ == "__main__":
    main()
