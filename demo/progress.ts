// SPDX-License-Identifier: Apache-2.0
// What the demo is doing while it starts, on the error output: one line that each step replaces on a terminal, or a line for
// each step elsewhere.

export type Progress = {
  show(step: string): void;
  /** A line that stays. */
  note(line: string): void;
  /** Removes the current step. */
  clear(): void;
};

const CLEAR_LINE = '\r\u001b[K';

export function createProgress(output: NodeJS.WriteStream = process.stderr): Progress {
  let shown = '';
  const clear = () => {
    if (output.isTTY && shown !== '') output.write(CLEAR_LINE);
    shown = '';
  };
  return {
    show: (step) => {
      if (step === shown) return;
      clear();
      shown = step;
      output.write(output.isTTY ? `${step} …` : `${step} …\n`);
    },
    note: (line) => {
      clear();
      output.write(`${line}\n`);
    },
    clear,
  };
}
