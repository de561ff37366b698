// SPDX-License-Identifier: Apache-2.0

import { setImmediate as nextTurn } from 'node:timers/promises';
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import { writeJson } from '../../writeJson.ts';

/** After this many characters other work gets a turn: a page of records can hold a hundred megabytes. */
const CHARACTERS_PER_TURN = 256 * 1024;
const LONG_LIST = 100;

/** A response as JSON text. Long lists do not block the event loop for long. */
export async function writeInTurns(json: unknown): Promise<string> {
  if (Array.isArray(json)) return `${await writeList(json)}\n`;
  const fields = Object.entries(fieldsOf(json));
  if (!fields.some(([, value]) => Array.isArray(value) && value.length > LONG_LIST)) return writeJson(json);
  const parts: string[] = [];
  for (const [name, value] of fields) {
    const text = Array.isArray(value) ? await writeList(value) : JSON.stringify(value);
    if (text !== undefined) parts.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${parts.join()}}\n`;
}

async function writeList(items: readonly unknown[]): Promise<string> {
  const parts: string[] = [];
  let size = 0;
  for (const item of items) {
    const part = JSON.stringify(item);
    parts.push(part);
    size += part.length;
    if (size < CHARACTERS_PER_TURN) continue;
    size = 0;
    await nextTurn();
  }
  return `[${parts.join(',')}]`;
}
