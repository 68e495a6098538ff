"""An MCP server over stdio with one tool, `ask`, which asks the person for a name and a colour and returns what came of it."""
import json, sys

SCHEMA = {"type": "object", "required": ["name"], "properties": {
    "name": {"type": "string", "title": "Your name"}, "colour": {"type": "string", "enum": ["red", "blue"]}}}


def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


call = None
for line in sys.stdin:
    said = json.loads(line)
    method = said.get("method")
    if method == "initialize":
        send(id=said["id"], result={"protocolVersion": said["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "tiny", "version": "1"}})
    elif method == "tools/list":
        send(id=said["id"], result={"tools": [{"name": "ask", "description": "asks", "inputSchema": {"type": "object", "properties": {}}}]})
    elif method == "tools/call":
        call = said["id"]
        send(id="e1", method="elicitation/create", params={"message": "What is your name?", "requestedSchema": SCHEMA})
    elif said.get("id") == "e1":
        send(id=call, result={"content": [{"type": "text", "text": json.dumps(said.get("result") or said.get("error"))}]})
    elif "id" in said and method:
        send(id=said["id"], result={})
