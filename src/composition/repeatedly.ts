// A chore that is done again and again, never twice at once; when it fails it says so and is tried at its next time.
export type Chore = { stop(): void };

export function repeatedly(
  name: string,
  everyMs: number,
  work: () => Promise<void>,
  warn: (message: string, facts: Record<string, unknown>) => void,
): Chore {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const schedule = () => {
    if (!isStopped) timer = setTimeout(run, everyMs).unref();
  };
  const run = () => {
    work()
      .catch((error: unknown) => warn(`${name} failed`, { error }))
      .finally(schedule);
  };
  schedule();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
