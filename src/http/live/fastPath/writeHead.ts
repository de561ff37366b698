// SPDX-License-Identifier: Apache-2.0
// Writes the heads of responses byte for byte as node:http does.
import { type Server, STATUS_CODES } from 'node:http';

/** What node:http refuses in a value. A line break in one would begin another field. */
const forbidden = /[^\t\x20-\x7e\x80-\xff]/;

function checkValue(name: string, value: string): void {
  if (forbidden.test(value)) throw new TypeError(`Invalid character in the value of the header ${name}.`);
}

/** A head whose fields other than content-length are the same as those of another response. */
type Template = {
  readonly fields: readonly string[];
  /** Index in `fields`; -1 without one. */
  readonly lengthAt: number;
  readonly before: string;
  readonly after: string;
};

function templateOf(status: number, fields: readonly string[]): Template {
  const lines: string[] = [];
  let lengthAt = -1;
  for (let at = 0; at < fields.length; at += 2) {
    const [name = '', value = ''] = [fields[at], fields[at + 1]];
    checkValue(name, value);
    if (name === 'content-length') lengthAt = at + 1;
    lines.push(`${name}: ${value}\r\n`);
  }
  const statusLine = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
  if (lengthAt < 0) return { fields, lengthAt, before: statusLine + lines.join(''), after: '' };
  const index = (lengthAt - 1) / 2;
  const before = `${statusLine}${lines.slice(0, index).join('')}content-length: `;
  return { fields, lengthAt, before, after: `\r\n${lines.slice(index + 1).join('')}` };
}

function fits({ fields, lengthAt }: Template, others: readonly string[]): boolean {
  if (fields.length !== others.length) return false;
  for (let at = 0; at < fields.length; at += 1) if (fields[at] !== others[at] && at !== lengthAt) return false;
  return true;
}

/** Manifests of two formats, plain and compressed, have the same few heads, again and again. Redirects and errors do not. */
const MAX_TEMPLATES = 8;
const REPEATED_STATUS = 200;

export type WriteHead = (status: number, fields: readonly string[]) => string;

/** @param now UNIX milliseconds */
export function createHeadWriter(limits: Pick<Server, 'keepAliveTimeout'>, now: () => number): WriteHead {
  const templates: Template[] = [];
  let next = 0;
  let second = -1;
  let lastLines = '';

  /** Date and the lines after it, as node:http adds them. */
  function linesAt(time: number): string {
    const current = Math.floor(time / 1000);
    if (current !== second) {
      second = current;
      const { keepAliveTimeout } = limits;
      const keepAlive = keepAliveTimeout > 0 ? `Keep-Alive: timeout=${Math.floor(keepAliveTimeout / 1000)}\r\n` : '';
      lastLines = `Date: ${new Date(time).toUTCString()}\r\nConnection: keep-alive\r\n${keepAlive}\r\n`;
    }
    return lastLines;
  }

  function templateFor(status: number, fields: readonly string[]): Template {
    if (status === REPEATED_STATUS) for (const template of templates) if (fits(template, fields)) return template;
    const template = templateOf(status, fields);
    if (status !== REPEATED_STATUS) return template;
    templates[next] = template;
    next = (next + 1) % MAX_TEMPLATES;
    return template;
  }

  return (status, fields) => {
    const { lengthAt, before, after } = templateFor(status, fields);
    const lines = linesAt(now());
    if (lengthAt < 0) return before + lines;
    const length = fields[lengthAt] ?? '';
    checkValue('content-length', length);
    return before + length + after + lines;
  };
}
