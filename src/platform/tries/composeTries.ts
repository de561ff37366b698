// SPDX-License-Identifier: Apache-2.0
// Composes the tries of ad requests and the replays of breaks. Their ad server is apart from that of viewers, so a tag that fails
// when it is tried is not suspended for them, and one that is suspended for them can be tried.

import { createHttpAdServer } from '../../adapters/http/httpAdServer.ts';
import type { CertificateLookup } from '../../ads/request/ports.ts';
import type { Channel, VodChannel } from '../../channels/channel.ts';
import type { FindAdSources } from '../../channels/ports.ts';
import type { Creatives } from '../../composition/composeCreatives.ts';
import type { OnAirServices } from '../../composition/composeOnAir.ts';
import type { AdReader, Demands } from '../../composition/decisions/composeDemand.ts';
import type { Services } from '../../composition/openServices.ts';
import type { Part } from '../../composition/part.ts';
import { checkListed } from '../../ingest/condition/listed/checkListed.ts';
import { createCreativeInspector } from '../../ingest/creatives/creativeAdmin.ts';
import type { FrozenStore, SessionStore } from '../../sessions/ports.ts';
import { tryRoutes } from './routes/tryRoutes.ts';
import { createAdTries } from './rules/adTries.ts';
import { findStoredBreak, type PastBreaks } from './rules/storedBreak.ts';
import type { ServedLadder } from './rules/tryAdRequest.ts';

const BOTH = ['hls', 'dash'] as const;
/** Requests to one host at once. */
const PER_HOST = 8;
/** How long a try waits for the import of a VoD channel's content. */
const TITLE_BUDGET_MS = 2_000;

/** The ladders of a channel and the formats that they are for: those that viewers who open it now play. */
function servedLadders({ cache, titles }: Pick<OnAirServices, 'cache' | 'titles'>) {
  async function ofTitle(channel: VodChannel): Promise<readonly ServedLadder[]> {
    const found = channel.state === 'enabled' ? await titles.contentsOf(channel, undefined) : undefined;
    const prepared =
      found?.state === 'found' ? await titles.prepare(channel, found.contents, TITLE_BUDGET_MS) : undefined;
    // Without a ready title, for example if players name the content: the ladder of the title that was played last.
    const ladder = prepared?.state === 'ready' ? prepared.title.ladder : titles.laddersOf(channel)[0];
    return ladder === undefined ? [] : [{ formats: BOTH, ladder }];
  }

  async function all(channel: Channel): Promise<readonly ServedLadder[]> {
    if (channel.type === 'vod') return ofTitle(channel);
    const { airing, live } = cache.find(channel) ?? {};
    if (live === undefined) return airing === undefined ? [] : [{ formats: BOTH, ladder: airing.ladder }];
    const hasDash = live.media.some(({ serves }) => serves === 'dash');
    return live.media.map(({ ladder, serves = 'both' }) => ({
      ladder,
      formats: serves === 'both' ? (hasDash ? ['hls'] : BOTH) : [serves],
    }));
  }

  return async (channel: Channel, format: (typeof BOTH)[number] | undefined) =>
    (await all(channel)).filter(({ formats }) => format === undefined || formats.includes(format));
}

type Core = {
  readonly creatives: Creatives;
  readonly onAir: OnAirServices;
  readonly sessions: SessionStore;
  readonly frozen: FrozenStore;
  readonly reader: AdReader;
  readonly demands: Pick<Demands, 'demandOf' | 'requesterWith'>;
  readonly certificates: CertificateLookup;
};

/** @param past the breaks of sessions that have ended */
export function composeTries(
  { guard, channels, now, timers }: Services,
  { creatives, onAir, sessions, frozen, reader, demands, certificates }: Core,
  past: PastBreaks,
  findSources: FindAdSources,
): Part {
  const { jobs, files, library } = creatives;
  const adTries = createAdTries({
    adServer: createHttpAdServer(guard, {
      timers,
      now,
      perHost: PER_HOST,
      queue: 64,
      failures: Number.POSITIVE_INFINITY,
      certificates,
    }),
    reader,
    ...demands,
    inspect: createCreativeInspector({ jobs, mediaStore: files }),
    queue: library.prepare,
    checked: (inspected) => checkListed(inspected, onAir.origin),
    clock: { now, timers },
    laddersOf: servedLadders(onAir),
    findBreak: findStoredBreak({ ...sessions, findFrozen: frozen.findFrozen }, past),
  });
  return { routes: tryRoutes({ adTries, channels, findSources }) };
}
