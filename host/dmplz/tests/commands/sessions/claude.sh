#!/bin/sh
# Plays Claude Code over stdio, as its transcripts show it (host/runner/tests/transcripts). What a message says is what it does:
#   ask ...      asks whether it may call Bash, and says what the answer was
#   rule ...     the same, where a rule of the user's own settings wants a person
#   hush ...     the same, with no "always" to be offered
#   keep ...     the same, with a suggestion to store, which it writes into .claude/settings.local.json where it is told to
#   form ...     an MCP server wants a name and a colour, and says what it was told
#   strange ...  an MCP server wants what no form can show
#   fix ...      keeps a list, runs and edits something, and asks whether it may push: a turn as in the documents
#   go on        cancels what it asked
#   say ...      says something with a terminal sequence in it
#   edit ...     calls Edit, which returns, and keeps a list of what is to be done
#   later ...    is left to wait
#   write ...    begins to write a text
#   finish ...   has written it
#   die          ends with 3
# It refuses `initialize` while there is a file `refuses`.
# Every line that it reads is kept in `heard`; what it was started with in `started`.
{ echo "$@"; env | grep -E '^(DMPLZ|CLAUDE)' | sort; } > started
echo $$ > pid
pending= number=0
session=$(echo "$@" | sed 's/.*--\(session-id\|resume\)=\([^ ]*\).*/\2/')
edited=2

say() { echo '{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"'"$1"'"}]},"parent_tool_use_id":null,"session_id":"'"$session"'"}'; }
turn() { echo '{"type":"result","subtype":"'"$1"'","is_error":false,"result":"'"$2"'","total_cost_usd":0.5,"queued_turn_count":0}'; }
id_of() { echo "$line" | sed 's/.*"request_id":"\([^"]*\)".*/\1/'; }
success() { echo '{"type":"control_response","response":{"subtype":"success","request_id":"'"$1"'","response":{}'"$2"'}}'; }
reply() { echo '{"type":"control_response","response":{"subtype":"success","request_id":"'"$(id_of)"'","response":'"$1"'}}'; }
refuse() { echo '{"type":"control_response","response":{"subtype":"error","request_id":"'"$(id_of)"'","error":"'"$1"'"}}'; }
word() { echo "$line" | sed 's/.*"'"$1"'":"\([^"]*\)".*/\1/'; }
part() { echo '{"type":"stream_event","event":'"$1"',"session_id":"'"$session"'","parent_tool_use_id":null}'; }
wrote() { part '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"'"$1"'"}}'; }
lived() { echo '{"type":"command_lifecycle","command_uuid":"'"$1"'","state":"'"$2"'"}'; }
called() { echo '{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"'"$1"'","name":"'"$2"'","input":'"$3"'}]},"parent_tool_use_id":null}'; }
returned() { echo '{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"'"$1"'","content":"'"$2"'"}]},"parent_tool_use_id":null}'; }
ask() {
  number=$((number + 1)) asked="toolu_$number" command=${2:-touch ran-$number}
  pending='{"type":"control_request","request_id":"r'$number'","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"'"$command"'"},"tool_use_id":"toolu_'$number'"'"$1"'}}'
  echo '{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"'$asked'","name":"Bash","input":{"command":"'"$command"'"}}]},"parent_tool_use_id":null}'
  echo "$pending"
}

elicit() {
  number=$((number + 1))
  pending='{"type":"control_request","request_id":"r'$number'","request":{"subtype":"elicitation","mcp_server_name":"tiny","message":"Who is it?","mode":"form","requested_schema":'"$1"'}}'
  echo "$pending"
}

echo 'a debug line'
while read -r line; do
  # As it is: the shell's own echo reads escapes.
  printf '%s\n' "$line" >> heard
  case "$line" in
    *'"subtype":"initialize"'*) if [ -e refuses ]; then refuse "not now"; continue; fi
      success "$(id_of)" "${pending:+,\"pending_permission_requests\":[$pending]}" ;;
    *'"subtype":"interrupt"'*)
      [ -n "$pending" ] && echo '{"type":"control_cancel_request","request_id":"r'$number'"}'
      pending=
      success "$(id_of)"
      turn error_during_execution ;;
    *'"subtype":"set_permission_mode"'*)
      reply '{"mode":"'"$(word mode)"'"}'
      echo '{"type":"system","subtype":"status","status":null,"permissionMode":"'"$(word mode)"'"}' ;;
    *'"subtype":"set_model"'*'"model":"bad"'*) refuse "There is no model bad" ;;
    *'"subtype":"set_model"'*) reply '{"model":"x"}' ;;
    *'"subtype":"apply_flag_settings"'*) reply '{}' ;;
    *'"subtype":"list_permission_rules"'*)
      stored=
      grep -qs 'touch kept \*' .claude/settings.local.json &&
        stored=',{"behavior":"allow","source":"localSettings","rule":"Bash(touch kept *)"}'
      reply '{"state":{"rules":[{"behavior":"ask","source":"userSettings","rule":"Bash(touch *)"}'"$stored"']}}' ;;
    # What it would undo changes with the file `edited`, and is done with it. It knows its own messages only.
    *'"subtype":"rewind_files"'*)
      [ -e edited ] && edited=$(cat edited)
      case "$line" in
        *'"dry_run":true'*) reply '{"canRewind":true,"filesChanged":["/work/b","/work/a"],"insertions":1,"deletions":'"$edited"'}' ;;
        *) echo "$line" >> undone; reply '{"canRewind":true,"skippedLinks":0}' ;;
      esac ;;
    *'"subtype":"cancel_async_message"'*) reply '{"cancelled":true}'; lived "$(word message_uuid)" cancelled ;;
    *'"type":"control_response"'*)
      pending=
      case "$line" in
        *'"action":"'*) say "told: $(echo "$line" | sed 's/.*"response":\({"action.*}\)}}$/\1/' | tr '"' "'")" ;;
        *'"behavior":"allow"'*)
          case "$line" in
            *'"updatedPermissions":'*'"localSettings"'*)
              mkdir -p .claude
              printf '{\n  "permissions": {\n    "allow": [\n      "Bash(touch kept *)"\n    ]\n  }\n}\n' > .claude/settings.local.json ;;
          esac
          touch "ran-$number"; say "allowed" ;;
        *) say "denied: $(echo "$line" | sed -n 's/.*"message":"\([^"]*\)".*/\1/p')" ;;
      esac
      turn success done ;;
    # It starts no turn, and has a result of its own all the same.
    *'"type":"user"'*'"shouldQuery":false'*)
      printf '%s\n' '{"type":"user","isReplay":true,'"${line#?}"
      echo '{"type":"result","subtype":"success","is_error":false,"num_turns":0,"result":"","total_cost_usd":0.5,"queued_turn_count":0}' ;;
    *'"type":"user"'*'"content":"later'*) lived "$(word uuid)" queued ;;
    *'"type":"user"'*)
      printf '%s\n' '{"type":"user","isReplay":true,'"${line#?}"
      case "$line" in
        *'"content":"ask'*) ask ;;
        *'"content":"rule'*) ask ',"matched_ask_rule":{"source":"userSettings","tool_name":"Bash","rule_content":"touch *"}' ;;
        *'"content":"hush'*) ask ',"suppress_always_allow_rule":true' ;;
        *'"content":"keep'*) ask ',"permission_suggestions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"touch kept *"}],"behavior":"allow","destination":"localSettings"}]' 'touch kept me' ;;
        *'"content":"form'*) elicit '{"properties":{"name":{"type":"string"},"colour":{"type":"string","enum":["red","blue"]}},"required":["name"]},"property_order":["name","colour"]' ;;
        *'"content":"strange'*) elicit '{"properties":{"x":{"type":"object"}}}' ;;
        *'"content":"go on'*)
          echo '{"type":"control_cancel_request","request_id":"r'$number'"}'
          pending=
          turn success done ;;
        *'"content":"edit'*)
          called t1 TodoWrite '{"todos":[{"content":"read","status":"completed"},{"content":"<i>write</i>","status":"in_progress"}]}'
          called t2 Edit '{"file_path":"/work/<b>a</b>.txt","old_string":"<u>one</u>","new_string":"two \u202e"}'
          returned t2 'done <img src=x onerror=alert(1)> \u202e'
          say '# Title **bold** <script>alert(1)</script>'
          turn success done ;;
        *'"content":"fix'*)
          called t1 TodoWrite '{"todos":[{"content":"read the test","status":"completed"},{"content":"change the formatter","status":"completed"},{"content":"push","status":"in_progress"}]}'
          returned t1 'ok'
          called t2 Bash '{"command":"npm test","description":"Run the tests"}'
          returned t2 'expected 12.50, got 12.5'
          say 'The test expects **two decimals**; I will change the formatter.'
          called t3 Edit '{"file_path":"src/format.js","old_string":"return String(price);","new_string":"return price.toFixed(2);"}'
          returned t3 'The file src/format.js has been updated.'
          echo '{"type":"rate_limit_event","rate_limit_info":{"status":"allowed_warning","resetsAt":1795640000,"rateLimitType":"five_hour","utilization":0.91}}'
          ask '' 'git push origin fix-price' ;;
        *'"content":"write lines'*)
          part '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}'
          wrote 'one line\u000aand a ' ;;
        *'"content":"finish lines'*) say 'one line\u000aand a half'; turn success done ;;
        *'"content":"write'*)
          part '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}'
          wrote 'Half <b>a</b> '; wrote '**text** \u202e' ;;
        *'"content":"finish'*) say 'Half <b>a</b> **text** \u202e and all'; part '{"type":"content_block_stop","index":0}'; turn success done ;;
        *'"content":"die'*) echo 'it hurts' >&2; exit 3 ;;
        *) say 'hello \u001b[31m'; turn success done ;;
      esac ;;
  esac
done
echo ended > ended
