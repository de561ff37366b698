// SPDX-License-Identifier: Apache-2.0
// One line of the report of `midroll doctor`.

export type Finding = {
  /** `warning`: Midroll starts, but not everything works as configured. `error`: it does not start or has no ads. */
  readonly state: 'ok' | 'warning' | 'error';
  /** What was checked, in one or two words. */
  readonly subject: string;
  /** What was found. */
  readonly text: string;
  /** What to do next, in one sentence. */
  readonly advice?: string;
};

export const ok = (subject: string, text: string): Finding => ({ state: 'ok', subject, text });
export const warning = (subject: string, text: string, advice: string): Finding => {
  return { state: 'warning', subject, text, advice };
};
export const failed = (subject: string, text: string, advice: string): Finding => {
  return { state: 'error', subject, text, advice };
};
