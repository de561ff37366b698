// SPDX-License-Identifier: Apache-2.0
// Opens sessions of VoD channels: for their playlist, and for the items of an MRSS feed, whose response lists what the session
// shows as clips. For players that play a list of clips rather than read ads from manifests.
import { stitchedAds } from '../../ads/record/breakRecord.ts';
import { PREVIEW_PARAMETER } from '../../ads/request/preview.ts';
import type { Insertion, VodChannel } from '../../channels/channel.ts';
import { channelKey } from '../../channels/channelKey.ts';
import type { ContentItem } from '../../channels/playlist.ts';
import { isHttpUrl } from '../../channels/urlFaults.ts';
import { AppError, type FieldError, fieldError, validationError } from '../../errors.ts';
import { defined } from '../../invariant.ts';
import { playerBreaksOf } from '../../playback/decide/playerBreaks.ts';
import { isGuided } from '../../playback/guided/insertion.ts';
import { checkFormat, type FilmViewing } from '../../playback/viewings.ts';
import { openTitle, readResume } from '../../playback/vod/openTitle.ts';
import { budgetOf } from '../../playback/vod/vodViewer.ts';
import type { Session } from '../../sessions/session.ts';
import { feedAd } from '../../tracking/feed/feed.ts';
import { listClips } from '../../vod/listClips.ts';
import type { PreparedTitle } from '../../vod/ports.ts';
import type { Title } from '../../vod/title.ts';
import type { FeedClip, OpenedFeed } from '../contract/playerContract.ts';
import { filmFeed } from './feeds.ts';
import {
  authorizedChannel,
  insertionOf,
  openingParameters,
  parameterFaults,
  pointer,
  reservedParameters,
  sessionLinks,
} from './openingRequest.ts';
import { type PlayerDeps, type PlayerRequest, readBody, requirePost, viewerOf } from './playerRequest.ts';
import { replyJson } from './reply.ts';

/** Seconds after which a player may retry. */
const RETRY = { importing: 2, failed: 15 };

function resumeOf(query: URLSearchParams): number | undefined {
  const text = query.get('start');
  if (text === null) return undefined;
  const resumeAt = readResume(text);
  if (typeof resumeAt === 'string') throw validationError('Invalid query', [fieldError('start', '/start', resumeAt)]);
  return resumeAt;
}

/** @throws {AppError} VALIDATION_ERROR, UNAVAILABLE */
async function requestedContents(
  { vod }: PlayerDeps,
  channel: VodChannel,
  content: string | undefined,
): Promise<readonly ContentItem[]> {
  const requested = await vod.titles.contentsOf(channel, content);
  if (requested.state === 'invalid') {
    throw validationError('Invalid query', [fieldError('content', '/content', requested.message)], 'the query');
  }
  if (requested.state === 'unavailable')
    throw new AppError('UNAVAILABLE', requested.reason, { part: 'feed', retryAfter: RETRY.failed });
  return requested.contents;
}

function readyTitle(prepared: PreparedTitle): Extract<PreparedTitle, { state: 'ready' }> {
  if (prepared.state === 'ready') return prepared;
  if (prepared.state === 'failed')
    throw new AppError('UNAVAILABLE', prepared.reason, { part: 'title', retryAfter: RETRY.failed });
  throw new AppError('UNAVAILABLE', 'The content is being imported. Retry soon.', {
    part: 'title',
    retryAfter: RETRY.importing,
  });
}

/** The content of a VoD channel. @param content of the query @throws {AppError} VALIDATION_ERROR, UNAVAILABLE */
export async function requestedTitle(
  deps: PlayerDeps,
  channel: VodChannel,
  content: string | undefined,
): Promise<Title> {
  const contents = await requestedContents(deps, channel, content);
  return readyTitle(await deps.vod.titles.prepare(channel, contents, budgetOf(channel))).title;
}

type VodOpening = {
  readonly wanted: Insertion;
  readonly format: Session['format'];
  readonly parameters: Session['parameters'];
  readonly resumeAt: number | undefined;
  readonly contents: readonly ContentItem[];
  readonly viewer: Session['viewer'];
};

type OpenedContents = {
  readonly viewing: FilmViewing;
  /** The contents that are played: an item that cannot be imported or does not fit the others is left out. */
  readonly contents: readonly ContentItem[];
};

/** Opens a session for contents that the channel may play. @throws {AppError} UNAVAILABLE, CONFLICT */
async function openContents(deps: PlayerDeps, channel: VodChannel, opening: VodOpening): Promise<OpenedContents> {
  const { vod } = deps;
  const { contents: requested, format, wanted, ...rest } = opening;
  const prepared = await vod.titles.prepare(channel, requested, budgetOf(channel));
  const { title, plan, contents } = readyTitle(prepared);
  checkFormat(title, format);
  const { userAgent } = rest.viewer;
  // Shaka Player 5.2 plays no event at the end of the last Period.
  const endsInBreak = plan?.breaks.some(({ at }) => at >= title.duration);
  const isPossible = plan !== undefined && !(format === 'dash' && endsInBreak);
  const insertion = { isGuided: isGuided({ wanted, format, userAgent, isPossible }) };
  const session = await openTitle(
    channel,
    { title, plan, contents, format, ...insertion, ...rest },
    deps.sessions,
    vod.sessionTtl,
    deps.now(),
  );
  deps.observe?.opened(session);
  const viewer = vod.presentations.begin(channel, session, title);
  return { viewing: { kind: 'film', channel, viewer }, contents };
}

/** @throws {AppError} VALIDATION_ERROR, TOO_MANY_REQUESTS, UNAVAILABLE, CONFLICT */
export async function openVod(
  deps: PlayerDeps,
  channel: VodChannel,
  { request, query }: PlayerRequest,
  format: Session['format'],
): Promise<FilmViewing> {
  const resumeAt = resumeOf(query);
  const parameters = openingParameters(query, (token) => deps.isPreviewToken?.(token, channel) === true);
  const viewer = viewerOf(request, deps.proxies);
  deps.allowOpening?.(viewer.address, channelKey(channel));
  // Ad servers get the same value.
  const contents = await requestedContents(deps, channel, parameters.content);
  const opening = { wanted: insertionOf(query, channel), format, parameters, resumeAt, contents, viewer };
  return (await openContents(deps, channel, opening)).viewing;
}

/** Room for the limits of a URL and of variables. */
const MAX_BODY_BYTES = 32_768;
/** Seconds. */
const RETRY_AFTER = 5;

/** @throws {AppError} KEY_MISSING, NOT_FOUND, FORBIDDEN, CONFLICT */
function vodChannel(deps: PlayerDeps, channelId: string, incoming: PlayerRequest): VodChannel {
  const key = incoming.request.headers['api-key'];
  if (typeof key !== 'string')
    throw new AppError('KEY_MISSING', 'Missing api-key header. Send the apiKey of the channel.');
  const { channel } = authorizedChannel(deps, channelId, incoming, { key });
  if (channel.type === 'vod') return channel;
  throw new AppError(
    'CONFLICT',
    `Channel "${channelId}" is of type ${channel.type}. Feeds can be played by channels of type vod.`,
  );
}

/** @throws {AppError} VALIDATION_ERROR, UNAVAILABLE */
async function readFeed({ vod }: PlayerDeps, channel: VodChannel, url: string, format: 'hls' | 'dash') {
  const feed = await vod.readFeed(channel.contentHosts ?? [], url, format);
  if (feed.state === 'invalid') throw validationError('Invalid request', [fieldError('feed', '/url', feed.message)]);
  if (feed.state === 'unavailable')
    throw new AppError('UNAVAILABLE', feed.reason, { part: 'feed', retryAfter: RETRY_AFTER });
  return feed;
}

/** A warning for each item that cannot be played. */
const leftOut = (contents: readonly ContentItem[], played: readonly ContentItem[]): string[] =>
  contents.flatMap((one, index) =>
    played.includes(one) ? [] : [`item ${index + 1} is left out: it cannot be played`],
  );

/** POST /ad-aggregation-service/mrss/channel/:channelId */
export async function openFeed(deps: PlayerDeps, channelId: string, incoming: PlayerRequest): Promise<void> {
  const { request, response } = incoming;
  requirePost(request, response);
  const channel = vodChannel(deps, channelId, incoming);
  // The request may be handled twice, but its body can be read only once.
  incoming.body ??= readBody(request, MAX_BODY_BYTES);
  const { url, format, parameters } = readFeedRequest(await incoming.body);
  const viewer = viewerOf(request, deps.proxies);
  deps.allowOpening?.(viewer.address, channelKey(channel));
  const { contents, names, warnings: notices } = await readFeed(deps, channel, url, format);
  // The response lists what is stitched.
  const opening = { wanted: 'stitched', format, parameters, resumeAt: undefined, contents, viewer } as const;
  const opened = await openContents(deps, channel, opening);
  const { viewing } = opened;
  const { session, title } = viewing.viewer;
  const presentation = await deps.vod.presentations.settled(channel, viewing.viewer);
  const nameOf = (item: number) => {
    const content = defined(opened.contents[item], 'a title has the contents that are played');
    return defined(names[contents.indexOf(content)], 'each content of a feed has names');
  };
  const feed = filmFeed(viewing, presentation, playerBreaksOf(deps.sessions).read);
  const options = feed.options(format);
  const ads = new Map((await feed.records()).flatMap(stitchedAds).map((ad) => [ad.adId, ad] as const));
  const clips = listClips(title, presentation).map((clip): FeedClip => {
    const { category, duration } = clip;
    if (clip.category === 'content') return { category, ...nameOf(clip.item), duration };
    if (clip.category !== 'ad') return { category, titleId: category, title: category, duration };
    const record = ads.get(clip.adId);
    const { adTitle = '', trackingEvents = [] } = record === undefined ? {} : feedAd(record, options);
    return { category, titleId: clip.adId, title: adTitle, duration, trackingEvents };
  });
  const {
    stitchedURL: stitched,
    vastURL,
    trackingURL,
    sessionId,
  } = sessionLinks(deps.liveUrl(request), session, channel, format);
  const links = { vastURL, sessionId, trackingURL };
  const warnings = [...notices, ...leftOut(contents, opened.contents)];
  const result: OpenedFeed = {
    [format]: { url: stitched, ...links, clips, ...(warnings.length === 0 ? {} : { warnings }) },
  };
  replyJson(request, response, 200, result);
}

// The body of a request that opens a session for an MRSS feed: `url` and `deliverytypes`; every other field is a variable for
// the ad server.

type FeedRequest = {
  /** The URL of the feed. */
  readonly url: string;
  readonly format: Session['format'];
  readonly parameters: Session['parameters'];
};

const MAX_URL_LENGTH = 8192;

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 100));

function urlFaults(url: unknown): FieldError[] {
  if (url === undefined) return [fieldError('required', '/url', 'is required', { missingProperty: 'url' })];
  if (typeof url === 'string' && url.length <= MAX_URL_LENGTH && isHttpUrl(url)) return [];
  return [fieldError('url', '/url', `must be the http or https URL of an MRSS feed; got ${shown(url)}`)];
}

function readFormat(types: unknown): Session['format'] | FieldError {
  const only = Array.isArray(types) && types.length === 1 ? types[0] : undefined;
  if (only === 'hls' || only === 'dash') return only;
  const params = { allowedValues: [['dash'], ['hls']] };
  return fieldError('enum', '/deliverytypes', `must be ["dash"] or ["hls"]; got ${shown(types)}`, params);
}

/** Numbers and booleans become text, as in a query. Null is the same as an omitted field. */
function readVariables(fields: Readonly<Record<string, unknown>>): {
  parameters: Record<string, string>;
  faults: FieldError[];
} {
  const parameters: Record<string, string> = Object.create(null);
  const faults: FieldError[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (reservedParameters.has(name) || name === PREVIEW_PARAMETER)
      faults.push(fieldError('reserved', pointer(name), 'is not a variable; send it as a header or in the query'));
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      parameters[name] = String(value);
    else if (value !== null) {
      const message = `must be text, a number or a boolean; got ${Array.isArray(value) ? 'an array' : 'an object'}`;
      faults.push(fieldError('type', pointer(name), message));
    }
  }
  return { parameters, faults: [...faults, ...parameterFaults(parameters)] };
}

/**
 * @param body JSON, not yet validated
 * @throws {AppError} MALFORMED without a body, VALIDATION_ERROR with every invalid field
 */
export function readFeedRequest(body: unknown): FeedRequest {
  if (body === undefined)
    throw new AppError('MALFORMED', 'Missing request body. Send {"url": "…", "deliverytypes": ["hls"]} as JSON.');
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw validationError('Invalid request', [fieldError('type', '', `must be an object; got ${shown(body)}`)]);
  const { url, deliverytypes, ...variables } = body as Readonly<Record<string, unknown>>;
  const format = readFormat(deliverytypes);
  const { parameters, faults: ofVariables } = readVariables(variables);
  const faults = [...urlFaults(url), ...(typeof format === 'string' ? [] : [format]), ...ofVariables];
  if (faults.length > 0 || typeof format !== 'string') throw validationError('Invalid request', faults);
  return { url: url as string, format, parameters };
}
