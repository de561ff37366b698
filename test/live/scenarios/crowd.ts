// SPDX-License-Identifier: Apache-2.0
// Many viewers join around the start of a break, some with slow players. Every viewer gets ads.
import { expect } from 'vitest';
import { writeVast } from '../adHost.ts';
import { mediaPlaylists, openSession } from '../openSession.ts';
import { adSource, item, type Stage, type TracedBreak, titlesOf } from '../stage.ts';

/** Milliseconds. */
const AD_SERVER_DELAY = 1500;
const CROWD = { viewers: 40, from: -1500, over: 3000 };
/** The longest time from opening a session to its first playlist request, in milliseconds. */
const SLOWEST_START = 4500;

export async function manyViewersJoinAtABreak(stage: Stage): Promise<void> {
  const { clock, midroll, adHost } = stage;
  const [video, spot] = await Promise.all([stage.video({ seconds: 40 }), stage.spot(3)]);
  adHost.on('/crowd', async (response) => {
    await clock.sleep(AD_SERVER_DELAY);
    const ads = [{ id: 'three', seconds: 3, url: spot }];
    response.writeHead(200, { 'content-type': 'application/xml' }).end(writeVast(ads));
  });
  const channel = { adSource: adSource(adHost, '/crowd') };
  await stage.air('crowd', [item(video, { spliceTime: 20, maxDuration: 20 })], channel);
  const first = await stage.watch('crowd', { fetches: false });
  await first.until('a break has an ad', async () =>
    (await stage.breaks(first)).some((one) => titlesOf(one).length > 0),
  );

  const [from, to] = [clock.now() + 5000, clock.now() + 120_000].map((at) => new Date(at).toISOString());
  const { json } = await midroll.api('GET', `/channels/crowd/timeline?from=${from}&to=${to}`);
  const coming = json.entries.find(
    ({ kind, startsAt }: { kind: string; startsAt: string }) => kind === 'break' && startsAt > from!,
  );
  await clock.sleep(Date.parse(coming.startsAt) + CROWD.from - clock.now());

  /** Opens a session and polls it from `start` milliseconds later. @returns its decision for the break */
  async function join(start: number): Promise<TracedBreak> {
    const [media] = mediaPlaylists(
      await openSession({ clock, liveUrl: midroll.liveUrl, channel: 'crowd', apiKey: 'key' }),
    );
    await clock.sleep(start);
    for (let poll = 0; poll < 6; poll += 1) {
      expect((await fetch(`${midroll.liveUrl}/hls/crowd/${media}`)).status).toBe(200);
      await clock.sleep(1000);
    }
    const session = media!.split('/')[0]!;
    const { breaks } = (await midroll.api('GET', `/sessions/${session}`)).json;
    return breaks.find(({ id }: TracedBreak) => id === coming.breakId);
  }
  const seen = await Promise.all(
    Array.from({ length: CROWD.viewers }, async (_, index) => {
      await clock.sleep((index * CROWD.over) / CROWD.viewers);
      return join((index % 10) * (SLOWEST_START / 9));
    }),
  );
  expect(seen.map(titlesOf)).toEqual(seen.map(() => ['Ad three']));
  await first.leave();
  expect(first.faults).toEqual([]);
}
