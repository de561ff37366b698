// SPDX-License-Identifier: Apache-2.0
// A request as a curl command for a POSIX shell. The command contains what the request contains: mask secrets before.
import type { AdRequest } from './ports.ts';

export type CurlRequest = Pick<AdRequest, 'url'> & Partial<AdRequest>;

/** Between single quotes, only a single quote has a meaning (POSIX.1-2017 XCU 2.2.2). A command cannot contain a zero byte. */
export const shellQuoted = (text: string): string => `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;

/** A semicolon sends a header without a value; with a colon, curl would omit it. A line break would end the header. */
const headerOption = (name: string, value: string): string => {
  const line = value.replace(/[\r\n]+/g, ' ').trim();
  return `-H ${shellQuoted(line === '' ? `${name};` : `${name}: ${line}`)}`;
};

/** `--globoff`: URLs of ad servers contain brackets and braces. `--location`: redirects are followed, as Midroll does. */
export function curlCommand({ url, method = 'GET', headers = {}, body }: CurlRequest): string {
  // curl sends the body uncompressed.
  const sent = Object.entries(headers).filter(([name]) => name !== 'content-encoding');
  const options = sent.map(([name, value]) => headerOption(name, value));
  if (body !== undefined) options.push(`--data-raw ${shellQuoted(body)}`);
  else if (method === 'POST') options.push('--request POST');
  const first = `curl --globoff --include --compressed --location --max-redirs 5 --url ${shellQuoted(url)}`;
  return [first, ...options].join(' \\\n  ');
}
