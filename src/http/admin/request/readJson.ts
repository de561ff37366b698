// SPDX-License-Identifier: Apache-2.0
// Reads a JSON body. Stricter than JSON.parse, which accepts a repeated name (the first value would be lost silently),
// `__proto__` and nesting without bound. Source: RFC 8259.
import { AppError } from '../../../errors.ts';

const MAX_DEPTH = 64;

/** @throws {AppError} MALFORMED with the problem and its position */
export function readJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = (error as Error).message.slice(0, 200);
    throw new AppError('MALFORMED', `The body must be JSON: ${reason}.`, { cause: error });
  }
  checkNamesAndDepth(text);
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError('MALFORMED', 'The body must be JSON in UTF-8; got bytes that are not UTF-8.', { cause: error });
  }
}

/** Strings and punctuation. In valid JSON a quote outside of a string always starts one. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

/** @param text valid JSON: matching the tokens of other text could take quadratic time */
function checkNamesAndDepth(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') checkName(JSON.parse(last) as string, open.at(-1)!);
    if (open.length > MAX_DEPTH)
      throw new AppError('MALFORMED', `The body must not nest deeper than ${MAX_DEPTH} levels.`);
    last = token;
  }
}

function checkName(name: string, names: Set<string>): void {
  if (name === '__proto__') throw new AppError('MALFORMED', 'The body must not contain a field named "__proto__".');
  if (names.has(name))
    throw new AppError('MALFORMED', `Duplicate field ${JSON.stringify(name.slice(0, 100))} in an object of the body.`);
  names.add(name);
}
