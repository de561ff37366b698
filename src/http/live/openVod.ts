// SPDX-License-Identifier: Apache-2.0
// Opens sessions of VoD channels.
import type { VodChannel } from '../../channels/channel.ts';
import { channelKey } from '../../channels/channelKey.ts';
import type { ContentItem } from '../../channels/playlist.ts';
import { AppError, fieldError, validationError } from '../../errors.ts';
import { checkFormat, type FilmViewing } from '../../playback/viewings.ts';
import { openTitle, readResume } from '../../playback/vod/openTitle.ts';
import { budgetOf } from '../../playback/vod/vodViewer.ts';
import type { Session } from '../../sessions/session.ts';
import type { PreparedTitle } from '../../vod/ports.ts';
import { openingParameters } from './openingRequest.ts';
import { type PlayerDeps, type PlayerRequest, viewerOf } from './playerRequest.ts';

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

export type VodOpening = {
  readonly format: Session['format'];
  readonly parameters: Session['parameters'];
  readonly resumeAt: number | undefined;
  readonly contents: readonly ContentItem[];
  readonly viewer: Session['viewer'];
};

export type OpenedContents = {
  readonly viewing: FilmViewing;
  /** Those that are played: an item that cannot be imported or does not fit the others is left out. */
  readonly contents: readonly ContentItem[];
};

/** Opens a session for contents that the channel may play. @throws {AppError} UNAVAILABLE, CONFLICT */
export async function openContents(
  deps: PlayerDeps,
  channel: VodChannel,
  opening: VodOpening,
): Promise<OpenedContents> {
  const { vod } = deps;
  const { contents: requested, format, ...rest } = opening;
  const prepared = await vod.titles.prepare(channel, requested, budgetOf(channel));
  const { title, plan, contents } = readyTitle(prepared);
  checkFormat(title, format);
  const session = await openTitle(
    channel,
    { title, plan, contents, format, ...rest },
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
  const opening = { format, parameters, resumeAt, contents, viewer };
  return (await openContents(deps, channel, opening)).viewing;
}
