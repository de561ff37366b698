// SPDX-License-Identifier: Apache-2.0
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { inLine, vast } from '../../../test/testAdServer.ts';
import { readAdResponse } from '../../vast/read/readAdResponse.ts';
import { systemTimers } from '../systemClock.ts';
import { createAdResponseReader, createReadingTurns, type ThreadedAdResponseReader } from './adResponseReader.ts';

const open = (more: Partial<Parameters<typeof createAdResponseReader>[0]> = {}): ThreadedAdResponseReader => {
  const reader = createAdResponseReader({ maxUrls: 100, timeoutMs: 600_000, ...more });
  onTestFinished(() => reader.close());
  return reader;
};
const response = (document: string) => ({
  url: 'http://ads.example/vast',
  contentType: 'application/xml',
  bytes: new TextEncoder().encode(document),
});

/** 500 KB. */
const large = response(vast(...Array.from({ length: 900 }, (_, index) => inLine(`a${index}`))));

/** Turns of the event loop during the work: none if this thread did it. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return turns;
}

describe('reading ad responses', () => {
  it('returns the same results from the thread as without it, in order', async () => {
    const documents = [vast(inLine('a'), inLine('b', { sequence: 1 })), '<VAST version="3.0"/>', '{"ads": []}'];
    const expected = documents.map((document) => readAdResponse(response(document), { maxUrls: 100 }));
    const reader = open({ smallBytes: 0 });
    expect(await Promise.all(documents.map((document) => reader.read(response(document))))).toEqual(expected);
    expect(expected.map(({ document }) => Object.keys(document)[0])).toEqual(['version', 'version', 'line']);
  });

  it('returns the same bids from the thread as without it', async () => {
    const auction = { id: 'x', impIds: ['1'], currency: 'USD', dealFloors: {}, seconds: 30, startsIn: 0 };
    const bid = { id: 'ä', impid: '1', price: 5, adm: vast(inLine('a')), lurl: 'http://l.example/' };
    const bytes = new TextEncoder().encode(JSON.stringify({ seatbid: [{ bid: [bid, {}] }] }));
    const [threaded, direct] = await Promise.all(
      [0, 1e9].map((smallBytes) => open({ smallBytes }).readBids(bytes, auction)),
    );
    expect(threaded).toEqual(direct);
    expect(direct).toMatchObject({ kind: 'bids', bids: [{ facts: { id: 'ä' } }] });
  });

  it('does not block the event loop while a large response is read', async () => {
    const reader = open();
    const turns = await turnsDuring(async () => {
      const [{ document }] = await Promise.all([reader.read(large), reader.read(large)]);
      expect('ads' in document && document.ads.length).toBe(50);
    });
    expect(turns).toBeGreaterThan(20);
    expect(await turnsDuring(() => open({ smallBytes: 1e9 }).read(large))).toBe(0);
  });

  it('times out, and starts a new thread if the old one hangs', async () => {
    const deadlines: (() => void)[] = [];
    let at = 0;
    const after = (_: number, work: () => void) => {
      deadlines.push(work);
      return { cancel: () => {} };
    };
    const reader = open({ smallBytes: 0, timeoutMs: 3000, timers: { ...systemTimers, after, elapsed: () => at } });
    const [late, lost] = [reader.read(large), reader.read(large)];
    at = 3000;
    deadlines[0]!();
    for (const one of [late, lost]) {
      expect((await one).document).toMatchObject({ fault: 'NOT_READ', code: 900 });
    }
    expect((await late).document).toMatchObject({ reason: naming(3000, 1) });
    expect((await reader.read(response(vast(inLine('a'))))).document).toMatchObject({ ads: [{ id: 'a' }] });
  });

  it('reports a response for which the thread has too little memory, and reads later ones', async () => {
    const reader = open({ memoryMib: 8 });
    expect((await reader.read(large)).document).toMatchObject({ fault: 'NOT_READ' });
    expect((await open().read(large)).document).toMatchObject({ version: '4.2' });
  });

  it('limits the number of waiting responses', async () => {
    const reader = open({ smallBytes: 0 });
    const reads = Array.from({ length: 70 }, () => reader.read(response(vast())));
    const refused = (await Promise.all(reads)).filter(({ document }) => 'fault' in document);
    expect(refused).toHaveLength(6);
  });
});

test('responses beyond the limit wait for later turns, in order', async () => {
  const turns = createReadingTurns(30);
  const read: number[] = [];
  const begin = async (index: number, bytes: number) => {
    await turns(bytes);
    read.push(index);
  };
  expect(turns(10)).toBeUndefined();
  const all = [10, 10, 10, 25, 100, 1].map((bytes, index) => begin(index, bytes));
  await Promise.resolve();
  expect(read).toEqual([0, 1]);
  const seen: number[][] = [];
  while (read.length < all.length) {
    await turn();
    seen.push([...read]);
  }
  expect(seen.filter((one, index) => one.length !== seen[index - 1]?.length)).toEqual([
    ...[
      [0, 1, 2],
      [0, 1, 2, 3],
      [0, 1, 2, 3, 4],
      [0, 1, 2, 3, 4, 5],
    ],
  ]);
  await turn();
  expect(turns(1000)).toBeUndefined();
});
