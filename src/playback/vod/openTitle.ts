// SPDX-License-Identifier: Apache-2.0
// Opens a session of a VoD channel. What it shows is fixed here: the assets, the planned breaks and where playback starts.
import { randomUUID } from 'node:crypto';
import { freshOdometer } from '../../ads/placement/decision.ts';
import type { Channel } from '../../channels/channel.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import type { FilmSession, OpenedTitle, Session } from '../../sessions/session.ts';
import { flicksToMillis, type Millis, millis } from '../../time/units.ts';
import { cueOpportunities } from '../../vod/planCuePoints.ts';
import type { PreparedTitle } from '../../vod/ports.ts';

/** The life of all VoD sessions: they do not belong to a channel's life on air. */
const VOD_LIFE = 'vod';

type TitleOpening = Pick<Session, 'format' | 'parameters' | 'viewer'> &
  Omit<Extract<PreparedTitle, { state: 'ready' }>, 'state'> & {
    /** Seconds of content time. */
    readonly resumeAt: number | undefined;
    /** Whether the player inserts the ads itself, if it can. */
    readonly isGuided: boolean;
  };

/** How much longer than its content a presentation may be, until its length is known. */
const LENGTH_FACTOR = 2;

/** Fixed now, like a plan; the plan itself comes with the response of the ad server. */
function opportunitiesIn(
  { breakDuration }: Channel,
  { title, contents }: Pick<TitleOpening, 'title' | 'contents'>,
): Pick<OpenedTitle, 'opportunities'> {
  const opportunities = cueOpportunities(title, contents, breakDuration);
  return opportunities.length > 0 ? { opportunities } : {};
}

/** @param ttlSeconds how long the session is kept beyond the length of its content */
export async function openTitle(
  channel: Channel,
  { title, contents, plan, resumeAt, isGuided, ...viewer }: TitleOpening,
  store: Pick<SessionStore, 'create'>,
  ttlSeconds: number,
  now: Millis,
): Promise<FilmSession> {
  const keepUntil = millis(now + LENGTH_FACTOR * flicksToMillis(title.duration) + ttlSeconds * 1000);
  const session: FilmSession = {
    kind: 'film',
    id: randomUUID(),
    channelId: channel.id,
    tenant: channel.tenant,
    life: VOD_LIFE,
    openedAt: now,
    ...viewer,
    ...(isGuided && { guided: { keepUntil } }),
    vod: {
      assets: title.items.map(({ key }) => key),
      ...(plan === undefined ? opportunitiesIn(channel, { title, contents }) : { plan }),
      ...(resumeAt === undefined ? {} : { resumeAt }),
      keepUntil,
    },
  };
  await store.create(session, freshOdometer(title.ladder.rungs.length));
  return session;
}

/** @returns seconds of content time; or why `?start=` is invalid, as the continuation of its name */
export function readResume(text: string): number | string {
  const seconds = /^\d{1,7}(\.\d{1,9})?$/.test(text.trim()) ? Number(text) : Number.NaN;
  return Number.isNaN(seconds)
    ? `must be seconds of content time, such as 1200 or 90.5; got "${text.slice(0, 60)}"`
    : seconds;
}
