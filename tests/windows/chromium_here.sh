#!/bin/bash
# Chromium of this system for a program of Windows under wine, which waits at the port that is given. They end together.
exec 3<>"/dev/tcp/127.0.0.1/$1"
words=()
while IFS= read -r -d '' word <&3 && [ -n "$word" ]; do
  case $word in
    --*=C:*) path=${word#*=C:} word="${word%%=*}=$WINEPREFIX/drive_c${path//\\//}" ;;
  esac
  case $word in --user-data-dir=*) profile=${word#*=} ;; esac
  words+=("$word")
done
setsid chromium --no-sandbox "${words[@]}" </dev/null >/dev/null 2>&1 3>&- &
chromium=$!
# It reads nothing until the other end is closed.
cat <&3 >/dev/null &
wait -n -p ended
code=$?
[ "$ended" = "$chromium" ] && echo "$code" >&3
kill -- "-$chromium" 2>/dev/null
# Wine cannot delete links that lead nowhere, which Chromium has on Linux alone.
wait "$chromium" 2>/dev/null
rm -f "${profile:?}"/Singleton*
