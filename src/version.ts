import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of this Midroll, as its package says. */
export const version: string = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')).version;
