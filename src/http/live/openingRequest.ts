// SPDX-License-Identifier: Apache-2.0
// A request that opens a session: its channel, its signature, its variables, and the URLs of the response.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { PREVIEW_MARK, PREVIEW_PARAMETER } from '../../ads/request/preview.ts';
import type { Channel, Insertion } from '../../channels/channel.ts';
import { AppError, type FieldError, fieldError, pathTo, validationError } from '../../errors.ts';
import { INSERTION_PARAMETER, readInsertion } from '../../playback/guided/insertion.ts';
import type { EnabledChannel } from '../../playback/onAir/airing.ts';
import { channelNotFound } from '../../playback/viewings.ts';
import { inserterOf, type Session } from '../../sessions/session.ts';
import type { Millis } from '../../time/units.ts';
import type { PlayerDeps, PlayerRequest } from './playerRequest.ts';

type Authorization = {
  readonly key?: string | null;
  /** Whether the request opens no session, but reads what all viewers share: a shared token is sufficient. */
  readonly isShared?: boolean;
};

/**
 * The channel with this id and key, if the request is signed as it requires. Without the key, responses do not reveal whether
 * the channel is on air.
 * @throws {AppError} KEY_MISSING, NOT_FOUND, FORBIDDEN
 */
export function authorizedChannel(
  { airings, onMissing, now }: PlayerDeps,
  channelId: string,
  { query, manifest }: Pick<PlayerRequest, 'query' | 'manifest'>,
  { key = query.get('api-key'), isShared = false }: Authorization = {},
): EnabledChannel {
  if (key === null)
    throw new AppError('KEY_MISSING', 'Missing api-key query parameter. Add the apiKey of the channel.');
  const named = airings.named(channelId);
  if (named.length === 0) throw channelNotFound(channelId);
  const keyed = named.find(({ channel }) => channel.apiKey === key);
  if (keyed === undefined) throw new AppError('FORBIDDEN', 'Invalid API key.');
  const { channel } = keyed;
  if (manifest !== undefined) manifest.channel = channel;
  if (!isShared || !hasSharedToken(channel, query)) checkSignature(channel, query, now());
  if (keyed.airing === undefined && channel.type !== 'vod') onMissing?.(channel);
  return keyed;
}

// Signed playback URLs: a channel with a signing secret opens sessions only for URLs that its operator has signed.

/** UNIX seconds. More digits would be milliseconds, and the URL would practically never expire. */
const SECONDS = /^\d{1,11}$/;
const SIGNATURE = /^[0-9a-f]{64}$/i;

/** HMAC-SHA256 (RFC 2104) of `<channel id>:<exp>`, in hexadecimal. */
export const signOpening = (secret: string, channelId: string, exp: string): string =>
  createHmac('sha256', secret).update(`${channelId}:${exp}`).digest('hex');

/** Lets everyone who has opened a session read what viewers share. Signatures expire; caches need one URL for all viewers. */
const sharedToken = ({ id }: Channel, secret: string): string =>
  createHmac('sha256', secret).update(`${id}:shared`).digest('hex');

function hasSharedToken(channel: Channel, query: URLSearchParams): boolean {
  const token = query.get('token');
  if (channel.signingSecret === undefined || token === null) return false;
  return SIGNATURE.test(token) && isSame(token, sharedToken(channel, channel.signingSecret));
}

/** The query of the playlists of a channel that all viewers share. */
export function sharedQuery(channel: Channel): string {
  const query = new URLSearchParams({ 'api-key': channel.apiKey });
  if (channel.signingSecret !== undefined) query.set('token', sharedToken(channel, channel.signingSecret));
  return `?${query}`;
}

const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'));

const forbidden = (message: string) => new AppError('FORBIDDEN', message);

/** @throws {AppError} FORBIDDEN if the channel has a secret and the signature is missing, invalid or expired */
export function checkSignature({ id, signingSecret }: Channel, query: URLSearchParams, now: Millis): void {
  if (signingSecret === undefined) return;
  const [exp, sig] = [query.get('exp'), query.get('sig')];
  if (exp === null || sig === null)
    throw forbidden('Missing exp and sig query parameters. This channel requires signed playback URLs.');
  if (!SECONDS.test(exp)) throw forbidden(`exp must be UNIX seconds; got "${exp.slice(0, 20)}".`);
  if (!SIGNATURE.test(sig) || !isSame(sig, signOpening(signingSecret, id, exp)))
    throw forbidden('sig is not a valid signature of this channel and exp. Request a new playback URL.');
  if (now < Number(exp) * 1000) return;
  const expired = new Date(Number(exp) * 1000).toISOString();
  throw forbidden(`The playback URL expired at ${expired} (exp). Request a new one.`);
}

// The ad variables of a session: the query parameters that a player adds to the playback URL. Each session stores them and
// each ad request may repeat them, so their size is limited. Values over the limit are rejected rather than cut off: a
// truncated consent string would be wrong.

const MAX_PARAMETERS = 64;
const MAX_NAME_LENGTH = 100;
const MAX_VALUE_LENGTH = 2048;
/** The size limit of all parameters together as they are stored: JSON in UTF-8. */
const MAX_BYTES = 4096;

/** Parameters of the playback URL itself. They are never sent to an ad server. */
export const reservedParameters: ReadonlySet<string> = new Set([
  ...['api-key', 'sid', 'start', 'exp', 'sig', INSERTION_PARAMETER],
]);

/** A JSON Pointer to a parameter. */
export const pointer = (name: string): string => pathTo('', name.slice(0, MAX_NAME_LENGTH));

/** @returns a fault for each limit that the parameters exceed */
export function parameterFaults(parameters: Readonly<Record<string, string>>): FieldError[] {
  const entries = Object.entries(parameters);
  const faults: FieldError[] = [];
  const addFault = (keyword: string, path: string, limit: number, unit: string, actual: number) =>
    faults.push(fieldError(keyword, path, `must have at most ${limit} ${unit}; got ${actual}`, { limit }));
  if (entries.length > MAX_PARAMETERS) addFault('maxProperties', '', MAX_PARAMETERS, 'parameters', entries.length);
  for (const [name, value] of entries) {
    const path = pointer(name);
    if (name.length > MAX_NAME_LENGTH)
      addFault('maxLength', path, MAX_NAME_LENGTH, 'characters in its name', name.length);
    if (value.length > MAX_VALUE_LENGTH) addFault('maxLength', path, MAX_VALUE_LENGTH, 'characters', value.length);
  }
  const bytes = Buffer.byteLength(JSON.stringify(parameters));
  if (bytes > MAX_BYTES) addFault('maxBytes', '', MAX_BYTES, 'bytes of parameters as JSON', bytes);
  return faults;
}

/**
 * All parameters that are not reserved. If a name is repeated, the last value is used.
 * @param isToken whether a token marks the session as a preview
 * @throws {AppError} VALIDATION_ERROR with every parameter that exceeds a limit, FORBIDDEN
 */
export function openingParameters(
  query: URLSearchParams,
  isToken: (token: string) => boolean = () => false,
): Readonly<Record<string, string>> {
  const parameters: Record<string, string> = Object.create(null);
  for (const [name, value] of query) if (!reservedParameters.has(name)) parameters[name] = value;
  const token = parameters[PREVIEW_PARAMETER];
  if (token !== undefined) {
    if (!isToken(token))
      throw forbidden(
        `${PREVIEW_PARAMETER} is not a valid token of this channel, or it has expired. Start the preview again.`,
      );
    parameters[PREVIEW_PARAMETER] = PREVIEW_MARK;
  }
  const faults = parameterFaults(parameters);
  if (faults.length > 0) throw validationError('Invalid query', faults, 'the query');
  return parameters;
}

/** Who is to insert the ads: as the request says, or the channel. @throws {AppError} VALIDATION_ERROR */
export function insertionOf(query: URLSearchParams, { insertion = 'stitched' }: Channel): Insertion {
  const text = query.get(INSERTION_PARAMETER);
  if (text === null) return insertion;
  const read = readInsertion(text);
  if (typeof read === 'string') return read;
  throw validationError('Invalid query', [fieldError('enum', `/${INSERTION_PARAMETER}`, read.fault)], 'the query');
}

/**
 * The URLs of a session in a format. `mediaURL` is one of the other two: the player can use either.
 * @param liveUrl of the live port
 */
export function sessionLinks(
  liveUrl: string,
  session: Pick<Session, 'id' | 'guided' | 'kind'>,
  channel: Channel,
  format: Session['format'],
) {
  const { id, kind } = session;
  const base = `${liveUrl}/${format}/${encodeURIComponent(channel.id)}`;
  const insertion = inserterOf(session);
  const isDash = format === 'dash';
  const master = (of: string) => `${base}/master.m3u8?sid=${id}&${INSERTION_PARAMETER}=${of}`;
  const stitchedURL = isDash ? `${base}/${id}.mpd` : master('stitched');
  const shared = kind === 'film' ? `?sid=${id}` : `${sharedQuery(channel)}&sid=${id}`;
  const guidedURL = isDash ? `${base}/guided.mpd${shared}` : master('guided');
  const ownURL = insertion === 'guided' ? guidedURL : stitchedURL;
  return {
    mediaURL: isDash ? ownURL : `${base}/master.m3u8?sid=${id}`,
    vastURL: isDash ? `${base}/${id}/vast` : `${base}/${id}/vast.xml`,
    sessionId: id,
    trackingURL: `${liveUrl}/tracking/${id}`,
    insertion,
    stitchedURL,
    guidedURL,
  };
}
