import { afterEach, describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { inLine, vast } from '../../../test/testAdServer.ts';
import { readAdResponse } from '../../vast/read/readAdResponse.ts';
import { systemTimers } from '../systemClock.ts';
import { createAnswerReader, type ThreadedReader } from './answerReader.ts';

const opened: ThreadedReader[] = [];
afterEach(() => Promise.all(opened.splice(0).map((reader) => reader.close())));

const open = (more: Partial<Parameters<typeof createAnswerReader>[0]> = {}): ThreadedReader => {
  const reader = createAnswerReader({ mostUrls: 100, patienceMs: 600_000, ...more });
  opened.push(reader);
  return reader;
};
const answer = (document: string) => ({
  url: 'http://ads.example/vast',
  contentType: 'application/xml',
  bytes: new TextEncoder().encode(document),
});

/** 500 KB. */
const large = answer(vast(...Array.from({ length: 900 }, (_, index) => inLine(`a${index}`))));

/** Turns of the event loop while the work was done: none, when it was done in this thread. */
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

describe('reading answers', () => {
  it('returns the same from the thread as from here, in the order in which they came', async () => {
    const documents = [vast(inLine('a'), inLine('b', { sequence: 1 })), '<VAST version="3.0"/>', '{"ads": []}'];
    const here = documents.map((document) => readAdResponse(answer(document), { mostUrls: 100 }));
    const reader = open({ small: 0 });
    expect(await Promise.all(documents.map((document) => reader.read(answer(document))))).toEqual(here);
    expect(here.map(({ document }) => Object.keys(document)[0])).toEqual(['version', 'version', 'line']);
  });

  it('goes on with everything else while a large answer is read', async () => {
    const reader = open();
    const turns = await turnsDuring(async () => {
      const [{ document }] = await Promise.all([reader.read(large), reader.read(large)]);
      expect('ads' in document && document.ads.length).toBe(50);
    });
    expect(turns).toBeGreaterThan(20);
    expect(await turnsDuring(() => open({ small: 1e9 }).read(large))).toBe(0);
  });

  it('gives up what is not read in time, and starts anew when the thread hangs', async () => {
    const deadlines: (() => void)[] = [];
    let at = 0;
    const after = (_: number, work: () => void) => {
      deadlines.push(work);
      return { cancel: () => {} };
    };
    const reader = open({ small: 0, patienceMs: 3000, timers: { ...systemTimers, after, elapsed: () => at } });
    const [late, lost] = [reader.read(large), reader.read(large)];
    at = 3000;
    deadlines[0]!();
    for (const one of [late, lost]) {
      expect((await one).document).toMatchObject({ fault: 'NOT_READ', code: 900 });
    }
    expect((await late).document).toMatchObject({ reason: naming(3000, 1) });
    expect((await reader.read(answer(vast(inLine('a'))))).document).toMatchObject({ ads: [{ id: 'a' }] });
  });

  it('refuses what the thread has no memory for, and reads on', async () => {
    const reader = open({ memory: 8 });
    expect((await reader.read(large)).document).toMatchObject({ fault: 'NOT_READ' });
    expect((await open().read(large)).document).toMatchObject({ version: '4.2' });
  });

  it('lets no more answers wait than it can hold', async () => {
    const reader = open({ small: 0 });
    const reads = Array.from({ length: 70 }, () => reader.read(answer(vast())));
    const refused = (await Promise.all(reads)).filter(({ document }) => 'fault' in document);
    expect(refused).toHaveLength(6);
  });
});
