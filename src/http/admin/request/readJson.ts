// Reads a JSON body, and refuses what JSON.parse would let pass and a caller cannot mean: a name that stands twice (the
// first would vanish without a word), `__proto__`, text that is no UTF-8, nesting without bound. Source: RFC 8259.
import { AppError } from '../../../errors.ts';

const DEEPEST = 64;

/** @throws {AppError} MALFORMED with what was wrong and where */
export function readJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new AppError('MALFORMED', `The body must be JSON: ${(error as Error).message.slice(0, 200)}`);
  }
  checkNamesAndDepth(text);
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('MALFORMED', 'The body must be JSON in UTF-8; these bytes are not UTF-8.');
  }
}

/** Strings and marks: in valid JSON every quote outside of a string begins one, and the string ends. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

/** @param text valid JSON: in other text the tokens could take quadratic time */
function checkNamesAndDepth(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') checkName(JSON.parse(last) as string, open.at(-1)!);
    if (open.length > DEEPEST) throw new AppError('MALFORMED', `The body must not nest deeper than ${DEEPEST} levels.`);
    last = token;
  }
}

function checkName(name: string, names: Set<string>): void {
  if (name === '__proto__') throw new AppError('MALFORMED', 'The body must not have a field named "__proto__".');
  if (names.has(name))
    throw new AppError('MALFORMED', `The field ${JSON.stringify(name.slice(0, 100))} stands twice in one object.`);
  names.add(name);
}
