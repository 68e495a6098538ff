#!/bin/sh
# Plays Claude Code over stdio, as its transcripts show it (host/runner/tests/transcripts). What a message says is what it does:
#   ask ...      asks whether it may call Bash, and says what the answer was
#   rule ...     the same, where a rule of the user's own settings wants a person
#   hush ...     the same, with no "always" to be offered
#   go on        cancels what it asked
#   say ...      says something with a terminal sequence in it
#   die          ends with 3
# Every line that it reads is kept in `heard`; what it was started with in `started`.
{ echo "$@"; env | grep -E '^(DMPLZ|CLAUDE)' | sort; } > started
echo $$ > pid
pending= number=0
session=$(echo "$@" | sed 's/.*--session-id=\([^ ]*\).*/\1/')

say() { echo '{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"'"$1"'"}]},"parent_tool_use_id":null,"session_id":"'"$session"'"}'; }
turn() { echo '{"type":"result","subtype":"'"$1"'","is_error":false,"result":"'"$2"'","total_cost_usd":0.5,"queued_turn_count":0}'; }
id_of() { echo "$line" | sed 's/.*"request_id":"\([^"]*\)".*/\1/'; }
success() { echo '{"type":"control_response","response":{"subtype":"success","request_id":"'"$1"'","response":{}'"$2"'}}'; }
ask() {
  number=$((number + 1)) asked="toolu_$number"
  pending='{"type":"control_request","request_id":"r'$number'","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"touch ran-'$number'"},"tool_use_id":"toolu_'$number'"'"$1"'}}'
  echo '{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"'$asked'","name":"Bash","input":{"command":"touch ran-'$number'"}}]},"parent_tool_use_id":null}'
  echo "$pending"
}

echo 'a debug line'
while read -r line; do
  echo "$line" >> heard
  case "$line" in
    *'"subtype":"initialize"'*) success "$(id_of)" "${pending:+,\"pending_permission_requests\":[$pending]}" ;;
    *'"subtype":"interrupt"'*)
      [ -n "$pending" ] && echo '{"type":"control_cancel_request","request_id":"r'$number'"}'
      pending=
      success "$(id_of)"
      turn error_during_execution ;;
    *'"type":"control_response"'*)
      pending=
      case "$line" in
        *'"behavior":"allow"'*) touch "ran-$number"; say "allowed" ;;
        *) say "denied: $(echo "$line" | sed -n 's/.*"message":"\([^"]*\)".*/\1/p')" ;;
      esac
      turn success done ;;
    *'"type":"user"'*)
      echo '{"type":"user","isReplay":true,'"${line#?}"
      case "$line" in
        *'"content":"ask'*) ask ;;
        *'"content":"rule'*) ask ',"matched_ask_rule":{"source":"userSettings","tool_name":"Bash","rule_content":"touch *"}' ;;
        *'"content":"hush'*) ask ',"suppress_always_allow_rule":true' ;;
        *'"content":"go on'*)
          echo '{"type":"control_cancel_request","request_id":"r'$number'"}'
          pending=
          turn success done ;;
        *'"content":"die'*) echo 'it hurts' >&2; exit 3 ;;
        *) say 'hello \u001b[31m'; turn success done ;;
      esac ;;
  esac
done
echo ended > ended
