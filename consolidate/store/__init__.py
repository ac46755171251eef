"""Where memory lives: the store contract, connections, files, and the daytime application API."""
