// SPDX-License-Identifier: Apache-2.0
// The arguments of `npm run bench`.
import { parseArgs } from 'node:util';

export type BenchOptions = {
  /** Ids of rows, in the order of the bench; without any, all that are not optional. */
  readonly rows: readonly string[];
  readonly isList: boolean;
  readonly rounds: number;
  /** Of each measurement. The warm-up is as long. */
  readonly seconds: number;
  /** Between two polls of a viewer, on the clock of the server. */
  readonly poll?: number;
  /** A revision that is the reference instead of a bare server. */
  readonly base?: string;
  /** A file for all results. */
  readonly json?: string;
};

function positive(name: string, text: string | undefined, usual: number): number {
  const value = Number(text ?? usual);
  if (!(value > 0)) throw new Error(`--${name} must be a number greater than 0; got ${JSON.stringify(text)}.`);
  return value;
}

/** @param known ids of rows. @throws when an argument is not one of the bench */
export function readOptions(args: readonly string[], known: readonly string[]): BenchOptions {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { list: { type: 'boolean' }, rounds: text, seconds: text, poll: text, base: text, json: text },
  });
  const unknown = positionals.filter((id) => !known.includes(id));
  if (unknown.length > 0)
    throw new Error(`Rows must be among ${known.join(', ')}; got ${unknown.join(', ')}. --list describes them.`);
  const { list = false, rounds, seconds, poll, base, json } = values;
  return {
    rows: known.filter((id) => positionals.includes(id)),
    isList: list,
    rounds: Math.ceil(positive('rounds', rounds, 5)),
    seconds: positive('seconds', seconds, 0.5),
    ...(poll !== undefined && { poll: positive('poll', poll, 2) }),
    ...(base !== undefined && { base }),
    ...(json !== undefined && { json }),
  };
}
