// SPDX-License-Identifier: Apache-2.0
// The routes that open a session, and the multivariant playlist of an open one.
import { channelKey } from '../../channels/channelKey.ts';
import { AppError } from '../../errors.ts';
import { defined } from '../../invariant.ts';
import { isGuided } from '../../playback/guided/insertion.ts';
import { airingOfSession, type EnabledChannel } from '../../playback/onAir/airing.ts';
import { openSession, readStart } from '../../playback/view/openSession.ts';
import { beginUpcoming } from '../../playback/view/view.ts';
import { airingOf, checkFormat, type FilmViewing, type OnAirViewing, type Viewing } from '../../playback/viewings.ts';
import type { Session } from '../../sessions/session.ts';
import { type Flicks, flicks, flicksToMicros, millis } from '../../time/units.ts';
import { type Presentation, resumeTime } from '../../vod/layOut.ts';
import type { OpenedSession } from '../contract/airContract.ts';
import { sendMultivariant } from './manifests/manifestRoutes.ts';
import { openVod } from './openFeed.ts';
import { authorizedChannel, insertionOf, openingParameters, sessionLinks } from './openingRequest.ts';
import { manifestOf, type PlayerDeps, type PlayerRequest, viewerOf } from './playerRequest.ts';
import { replyJson } from './reply.ts';

type Format = Session['format'];

async function openOnAir(
  deps: PlayerDeps,
  authorized: EnabledChannel,
  { query, request }: PlayerRequest,
  format: Format,
): Promise<OnAirViewing> {
  const life = authorized.live?.lifeFor(format);
  if (life !== undefined) await authorized.live?.use(life);
  const now = deps.now();
  const airing = airingOf(authorized, format);
  const { channel } = airing;
  checkFormat(airing, format);
  const startText = query.get('start');
  const start =
    startText === null ? undefined : readStart(startText, channel.timeShiftWindow, airing.programme.edgeAt(now));
  if (typeof start === 'string') throw new AppError('VALIDATION_ERROR', `Invalid query: ${start}.`);
  const wanted = insertionOf(query, channel);
  const client = viewerOf(request, deps.proxies);
  // A window that starts earlier is one viewer's, and dynamic MPDs have no alternatives before their start.
  const isPossible = start === undefined && !(format === 'dash' && channel.type === 'live' && channel.preroll);
  const guided = isGuided({ wanted, format, userAgent: client.userAgent, isPossible })
    ? { guided: { keepUntil: millis(now + deps.vod.sessionTtl * 1000) } }
    : {};
  const opening = {
    start,
    format,
    ...guided,
    parameters: openingParameters(query, (token) => deps.isPreviewToken?.(token, channel) === true),
    viewer: client,
  };
  deps.allowOpening?.(opening.viewer.address, channelKey(channel));
  const viewer = await openSession(airing, opening, deps.sessions, deps.viewers, now);
  const { session } = viewer;
  deps.observe?.opened(session);
  const own = airingOfSession(airing, session);
  // The player requests nothing before its first break.
  if (session.guided !== undefined) {
    deps.presence.note(session, now);
    await deps.viewers.watch(viewer, now);
  } else beginUpcoming(own, viewer, deps.decider, deps.now());
  return { kind: session.kind, channel, viewer, airing: own };
}

async function open(deps: PlayerDeps, channelId: string, incoming: PlayerRequest, format: Format): Promise<Viewing> {
  const authorized = authorizedChannel(deps, channelId, incoming);
  const { channel } = authorized;
  if (channel.type !== 'vod') return openOnAir(deps, authorized, incoming, format);
  return openVod(deps, channel, incoming, format);
}

/** GET /dash/view/:channelId and /hls/view/:channelId */
export async function openView(
  deps: PlayerDeps,
  channelId: string,
  incoming: PlayerRequest,
  format: Format,
): Promise<void> {
  const { request, response } = incoming;
  const viewing = await open(deps, channelId, incoming, format);
  const links = sessionLinks(deps.liveUrl(request), viewing.viewer.session, viewing.channel, format);
  const opened: OpenedSession = viewing.kind === 'film' ? await filmOpened(deps, viewing, links, format) : links;
  replyJson(request, response, 200, opened);
}

/** GET /hls/:channelId/master.m3u8 */
export async function openMultivariant(deps: PlayerDeps, channelId: string, incoming: PlayerRequest): Promise<void> {
  incoming.manifest = manifestOf(channelId, 'hls');
  const sid = incoming.query.get('sid');
  const viewing = sid
    ? ((await deps.viewings.find(channelId, sid, deps.now())) ?? (await deps.viewings.reject(channelId, sid)))
    : await open(deps, channelId, incoming, 'hls');
  await sendMultivariant(deps, viewing, incoming);
}

// The response of the view routes for VoD: the URLs of the session, and its breaks on both clocks.

/** Seconds with the precision of manifests. */
const seconds = (length: Flicks): number => flicksToMicros(length) / 1e6;

function timesOf({ session, title, adTitles }: FilmViewing['viewer'], presentation: Presentation) {
  const { frameRate } = title.ladder;
  const { resumeAt, plan } = session.vod;
  const isGuided = session.guided !== undefined;
  const starts = new Map(presentation.spans.map(({ adId, placed }) => [adId, placed.startsAt - session.openedAt]));
  // A guided player's clock is that of the content, with what ads replace.
  const clockOf = (one: Presentation['breaks'][number]): Flicks =>
    (isGuided ? plan?.breaks.find(({ id }) => id === one.id)?.at : undefined) ?? one.streamTime;
  const startOf = (adId: string, one: Presentation['breaks'][number]): number =>
    defined(starts.get(adId), 'a presentation has the spans of the ads of its breaks') / 1000 +
    seconds(flicks(clockOf(one) - one.streamTime));
  const resumed = resumeTime(presentation, resumeAt);
  const start = isGuided ? resumeAt : resumed && seconds(resumed);
  return {
    durationSeconds: seconds(isGuided ? title.duration : presentation.duration),
    contentDurationSeconds: seconds(presentation.contentDuration),
    ...(start === undefined ? {} : { startSeconds: start }),
    breaks: presentation.breaks.map((one) => ({
      id: one.id,
      contentTime: seconds(one.contentTime),
      streamTime: seconds(clockOf(one)),
      duration: seconds(one.duration),
      ads: one.ads.map(({ adId, frames }) => {
        const adTitle = adTitles?.get(adId);
        return {
          id: adId,
          ...(adTitle === undefined ? {} : { title: adTitle }),
          streamTime: startOf(adId, one),
          duration: Math.round((1e6 * frames * frameRate.d) / frameRate.n) / 1e6,
        };
      }),
    })),
  };
}

/** Waits until the ads are decided. In DASH, an MPD anchor (ISO/IEC 23009-1 Annex C.4) contains the start. */
async function filmOpened(
  deps: PlayerDeps,
  { viewer, channel }: FilmViewing,
  links: ReturnType<typeof sessionLinks>,
  format: Format,
): Promise<OpenedSession> {
  const times = timesOf(viewer, await deps.vod.presentations.settled(channel, viewer));
  const anchor = format === 'dash' && times.startSeconds ? `#t=${times.startSeconds}` : '';
  return { ...links, mediaURL: links.mediaURL + anchor, ...times };
}
