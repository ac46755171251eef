"""The model summariser: any endpoint that speaks the chat completions protocol of OpenAI (DESIGN sections 3 and 6).

`summariser` puts it together: `chunks` cuts a user's episodes into calls, `prompt` words them, `client` makes them, `reply`
reads what comes back and believes none of it, `budget` counts and stops. `confirming` asks a second model.
"""
