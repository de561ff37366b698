// SPDX-License-Identifier: Apache-2.0
// `npm run bench:answers`: the longest time that the largest ad responses block the event loop, from the first byte to the
// candidates of a break and its record as JSON. Parsed in this thread, and as Midroll parses them.
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEgressGuard } from '../src/adapters/http/egressGuard.ts';
import { createHttpAdServer } from '../src/adapters/http/httpAdServer.ts';
import { createSystemClock } from '../src/adapters/systemClock.ts';
import { createAdResponseReader } from '../src/adapters/vast/adResponseReader.ts';
import type { CreativeLibrary } from '../src/ads/creative/creative.ts';
import type { AdResponseReader } from '../src/ads/request/ports.ts';
import { candidateFor } from '../src/playback/decide/candidates.ts';
import { requestAds } from '../src/playback/request/requestAds.ts';
import type { Ladder } from '../src/timeline/ladder/ladder.ts';
import { threadTimer } from '../test/cpuMillis.ts';
import { answersFor } from './largeAnswers.ts';

/** Ads that a break of 150 s shows: only their documents are kept in its record. */
const MOST_SHOWN = 10;

const clock = createSystemClock();
const guard = createEgressGuard({ allow: ['127.0.0.1'] });
const adServer = createHttpAdServer(guard);
const preparing = { state: 'preparing' } as const;
const library: CreativeLibrary = {
  prepare: () => preparing,
  settled: async () => ({ state: 'failed', fault: 'NOT_MADE', reason: 'the benchmark conditions nothing' }),
  slate: async () => preparing,
  slateQueue: () => undefined,
};
const ladder: Ladder = {
  id: 'bench',
  container: 'fmp4',
  layout: 'separate',
  frameRate: { n: 25, d: 1 },
  targetDuration: 4,
  rungs: [],
} as unknown as Ladder;

const used = threadTimer();

/** The longest turn of the event loop during the work, in processor time, which other load on the machine does not affect. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let last = used();
  const turn = (): void => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  turn();
  return longest;
}

async function decide(url: string, reader: AdResponseReader): Promise<string> {
  const session = { id: 's', channelId: 'c', parameters: {}, viewer: { address: '', userAgent: 'bench' } };
  const adBreak = { id: 'b', startsAt: clock.now(), duration: 120 };
  const answer = await requestAds({ source: { url, timeoutMs: 60_000 }, session, adBreak }, adServer, reader, clock);
  const tried = answer.ads.map((one) => candidateFor(one, ladder, library, answer.variables));
  const record = JSON.stringify({
    ads: tried.slice(0, MOST_SHOWN).map(({ ad }) => ad),
    response: answer.response,
    warnings: answer.warnings,
  });
  return `${answer.ads.length} ads, ${answer.dropped.length} lost, ${Math.round(record.length / 1024)} KiB of record`;
}

async function main(port: number): Promise<void> {
  const base = `http://127.0.0.1:${port}`;
  const atOnce = createAdResponseReader({ maxUrls: 100, smallBytes: Number.POSITIVE_INFINITY });
  const asMidroll = createAdResponseReader({ maxUrls: 100, timeoutMs: 600_000 });
  for (const { name, document } of answersFor(base)) {
    const turns = { atOnce: [] as number[], asMidroll: [] as number[] };
    let found = '';
    for (let time = 0; time < 5; time += 1) {
      turns.atOnce.push(await longestTurn(async () => decide(`${base}/${name}`, atOnce)));
      turns.asMidroll.push(
        await longestTurn(async () => {
          found = await decide(`${base}/${name}`, asMidroll);
        }),
      );
    }
    const shown = (values: number[]) => values.map((value) => value.toFixed(1).padStart(6)).join('');
    const size = `${Math.round(document.length / 1024)} KiB`.padStart(9);
    console.log(
      `${name.padEnd(16)}${size}  at once ${shown(turns.atOnce)}   as Midroll ${shown(turns.asMidroll)}  ${found}`,
    );
  }
  await asMidroll.close();
  await guard.destroy();
}

/** The ad server runs in another process, so that its work is not measured. */
function serve(): void {
  let documents = new Map<string, string>();
  const server = createServer((request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(documents.get(request.url!.slice(1).split('?')[0]!));
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    documents = new Map(answersFor(`http://127.0.0.1:${port}`).map(({ name, document }) => [name, document]));
    process.send!(port);
  });
}

if (process.send === undefined) {
  const server = fork(new URL(import.meta.url));
  server.once('message', (port: number) => void main(port).finally(() => server.kill()));
} else serve();
