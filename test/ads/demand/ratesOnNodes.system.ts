// SPDX-License-Identifier: Apache-2.0
// The viewers of three processes reach one break at once, and the rate of the first ad source is too low for them: it receives no
// request before its turn, and the next step fills the breaks of all others.
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { writeVast } from '../../live/adHost.ts';
import { openView } from '../../live/openSession.ts';
import { opened } from '../../opened.ts';
import { seededRandom } from '../../seededRandom.ts';
import { createDatabase } from '../../servers/postgresDatabase.ts';
import { breaksAt, openNodes } from './demandNodes.ts';
import { addSources, airSteps, BREAK_SECONDS, type SteppedBreak, untilReady } from './demandStage.ts';

const VIEWERS = 300;
const RATE = 20;
/** Seconds of content before the break: time to open all sessions. */
const CONTENT_SECONDS = 50;
/** Milliseconds before a break at which viewers come back, later than each decision would begin by itself. */
const BACK_AHEAD = 10_500;
/** Milliseconds: slots are stored in whole microseconds, and timers may be a millisecond early. */
const ROUNDING = 3;
const STORE_AWAY = 'the rates of ad sources are kept by each process alone';
/** Requests of the test under way at once. */
const CONCURRENCY = 30;

const database = await opened(createDatabase());
const { stage, nodes, watch } = await openNodes({ DATABASE_URL: database.url }, seededRandom(3));
const { adHost, clock } = stage;
const sql = await opened(new Client({ connectionString: database.url }), (client) => client.end());
await sql.connect();
// Of each reservation: the slots from the first one to the one after the last, in microseconds.
await sql.query(`
  create table reserved (first_at bigint, next_at bigint);
  create function note_reserved() returns trigger language plpgsql as
    $$ begin insert into reserved values (new.first_at, new.next_at); return null; end $$;
  create trigger reserved after insert or update on source_rates for each row execute function note_reserved()`);

/** When each slot of the source begins that was granted, in milliseconds, and whether two were granted twice. */
async function grantedSlots(): Promise<number[]> {
  const { rows } = await sql.query<{ first_at: string; next_at: string }>('select * from reserved');
  const interval = 1_000_000 / RATE;
  return rows
    .flatMap(({ first_at, next_at }) => {
      const [first, next] = [Number(first_at), Number(next_at)];
      const count = Math.round((next - first) / interval);
      return Array.from({ length: count }, (_, index) => (first + index * interval) / 1000);
    })
    .sort((one, other) => one - other);
}

async function forEach<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const rest = items.entries();
  const worker = async () => {
    for (const [index, item] of rest) await work(item, index);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

test('of many viewers who reach a break at once, those over the rate of a source get the ads of the next step', async () => {
  const [four, three, one] = await Promise.all([4, 3, 1].map((seconds) => stage.spot(seconds)));
  const arrived: { readonly node: string; readonly session: string; readonly id: string; readonly at: number }[] = [];
  adHost.on('/rated', (response, { at }, query) => {
    const [node = '', session = '', id = ''] = ['node', 'session', 'break'].map((name) => query.get(name) ?? '');
    arrived.push({ node, session, id, at });
    const text = writeVast([{ id: 'rated', seconds: 4, url: four! }]);
    response.writeHead(200, { 'content-type': 'application/xml' }).end(text);
  });
  const url = `${adHost.url}/rated?node=[PLAYER.node]&session=[SESSION_ID]&break=[BREAK_ID]`;
  await addSources(stage, [
    { id: 'rated', type: 'vast', url, maxPerSecond: RATE },
    {
      ...{ id: 'house', type: 'house' },
      creatives: [
        { url: three!, title: 'House three' },
        { url: one!, title: 'House one' },
      ],
    },
  ]);
  await airSteps(stage, 'rates', [['rated'], ['house']], {}, CONTENT_SECONDS);
  await untilReady(stage, 'rates', [4, 3, 1]);

  const scout = await watch('rates', 'hls', { fetches: false, query: 'node=scout' });
  const sessions: { readonly session: string; readonly liveUrl: string }[] = [];
  await forEach(Array.from({ length: VIEWERS }), async (_, index) => {
    const { liveUrl } = nodes[index % nodes.length]!;
    const view = await openView(liveUrl, 'hls', 'rates', `key&node=${index % nodes.length}`);
    sessions.push({ session: /[0-9a-f-]{36}/.exec(view)![0], liveUrl });
  });
  let next: SteppedBreak | undefined;
  await scout.until('a break comes', async () => {
    next = (await breaksAt(nodes[0]!, scout)).find(({ at }) => at > clock.now() + BACK_AHEAD + 2000);
    return next !== undefined;
  });
  const { id, at } = next!;
  await scout.until('the break is near', () => clock.now() >= at - BACK_AHEAD);
  await forEach(sessions, async ({ session, liveUrl }) => {
    const response = await fetch(`${liveUrl}/hls/rates/${session}/v0.m3u8`);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('#EXTINF')]);
  });

  const traces: SteppedBreak[] = [];
  await forEach(sessions, async (viewer, index) => {
    await expect
      .poll(async () => {
        const own = (await breaksAt(nodes[index % nodes.length]!, viewer)).find((one) => one.id === id);
        if (own !== undefined) traces.push(own);
        return own !== undefined;
      })
      .toBe(true);
  });
  const ofBreak = arrived.filter((request) => request.id === id && request.node !== 'scout');
  const requested = traces.filter(({ sources }) => sources?.[0]?.request !== undefined);
  const others = traces.filter(({ sources }) => sources?.[0]?.request === undefined);
  expect(ofBreak).toHaveLength(requested.length);
  expect(new Set(ofBreak.map(({ session }) => session)).size).toBe(requested.length);
  expect(new Set(ofBreak.map(({ node }) => node)).size).toBe(nodes.length);
  expect(new Set(others.map(({ sources }) => sources?.[0]?.reason?.code))).toEqual(new Set(['RATE_REACHED']));
  // As long as a request may wait, so many are granted.
  expect(requested.length).toBeGreaterThan(RATE);
  // None is late.
  expect(ofBreak.filter((request) => request.at >= at)).toEqual([]);
  // By the ads of the source, or by the next step.
  expect(traces.filter(({ slate, duration }) => slate > 0 || duration !== BREAK_SECONDS)).toEqual([]);

  // Then each process keeps the rate by itself.
  if (nodes.some((node) => node.logged(STORE_AWAY).length > 0))
    throw new Error('Not judged: the database took longer than half a second. Run this file alone on an idle machine.');
  // A slot is for one request, and none is used before its time. On a busy machine, requests come late, and so together.
  const slots = await grantedSlots();
  for (const [index, slot] of slots.slice(1).entries())
    expect(slot - slots[index]!).toBeGreaterThan(1000 / RATE - ROUNDING);
  const times = arrived.map((request) => request.at).sort((one, other) => one - other);
  expect(times).toHaveLength(slots.length);
  for (const [index, time] of times.entries()) expect(time).toBeGreaterThan(slots[index]! - ROUNDING);
  expect(nodes.flatMap((node) => node.bugs())).toEqual([]);
});
