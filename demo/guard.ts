// SPDX-License-Identifier: Apache-2.0
// Ends what the demo has started when the demo itself is killed. A shell of a few kilobytes reads the process groups from a
// pipe; the pipe ends with the demo, however that ends.
import { spawn } from 'node:child_process';

export type Guard = {
  /** @param group a process group, which is killed when the demo ends without `close` */
  watch(group: number): void;
  forget(group: number): void;
  /** Ends the guard, which kills and deletes nothing then. */
  close(): void;
};

const script = `
trap '' HUP INT TERM
groups=' '
while read -r what group; do
  case $what in
    watch) groups="$groups$group " ;;
    forget) groups="\${groups%% $group *} \${groups#* $group }" ;;
    close) exit 0 ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group" 2> /dev/null; done
if [ -n "$1" ]; then
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    rm -rf -- "$1" 2> /dev/null && break
    sleep 0.5
  done
fi
`;

/** @param folder deleted together with the processes; undefined if it is kept */
export function startGuard(folder: string | undefined): Guard {
  // In a group of its own: Ctrl-C in the terminal ends the demo, and the guard after it.
  const child = spawn('/bin/sh', ['-c', script, 'midroll-demo-guard', folder ?? ''], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  const write = (line: string) => void child.stdin.write(`${line}\n`);
  return {
    watch: (group) => write(`watch ${group}`),
    forget: (group) => write(`forget ${group}`),
    close: () => write('close'),
  };
}
