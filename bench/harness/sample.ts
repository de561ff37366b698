// SPDX-License-Identifier: Apache-2.0
// One real response, which a bare server repeats.

export type Sample = {
  readonly status: number;
  /** Names and values in turn, without those that node:http adds itself. */
  readonly headers: readonly string[];
  /** In base64. */
  readonly body: string;
};

const ownHeaders = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

export function sampleOf(head: string, body: Buffer): Sample {
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.flatMap((line) => {
    const at = line.indexOf(':');
    const name = line.slice(0, at);
    return ownHeaders.has(name.toLowerCase()) ? [] : [name, line.slice(at + 1).trim()];
  });
  return { status: Number(statusLine.split(' ')[1]), headers, body: body.toString('base64') };
}

export async function fetchSample(url: string): Promise<Sample> {
  const response = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${response.status}`, ...headers].join('\r\n');
  return sampleOf(head, Buffer.from(await response.arrayBuffer()));
}
