// SPDX-License-Identifier: Apache-2.0
// The values of macros in ad requests: those of VAST (VAST 4.x macro registry, context "VAST request URIs") and Midroll's
// own in the same syntax. Finding and encoding macros is done in vast/macros.ts; macroNames.ts lists the names.
import { type Millis, secondsToFlicks } from '../../time/units.ts';
import { formatVastTime, type MacroValues } from '../../vast/macros.ts';
import { FROM_PLAYER, isOwnMacro, type OwnMacro, signalOf } from './macroNames.ts';

/** The data of a session that ad servers may receive. */
export type AdRequestSession = {
  readonly id: string;
  readonly channelId: string;
  /** Absent in the preview of a document. */
  readonly tenant?: string;
  /** The query parameters of the request that opened the session. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly viewer: { readonly address: string; readonly userAgent: string };
};

export type AdRequestBreak = {
  readonly id: string;
  readonly startsAt: Millis;
  /** Seconds to fill. */
  readonly duration: number;
  readonly maxAds?: number;
  /** In the content of a VoD presentation; a break of a linear channel is a mid-roll. */
  readonly position?: 'pre' | 'mid' | 'post';
  /** Seconds of content before the break, for a VoD presentation. */
  readonly contentTime?: number;
};

/** Values that differ between requests. */
export type AdRequestStamp = {
  readonly now: Millis;
  /** A UUID, the same for the request and all its wrappers. */
  readonly transactionId: () => string;
  /** Eight random digits. */
  readonly cacheBuster: () => string;
};

/** The value is unknown (VAST 4.2 §6.1). */
const UNKNOWN = '-1';

const BREAK_POSITIONS = { pre: '1', mid: '2', post: '3' } as const;

/** VAST 2.0 to 4.3 and their wrappers, in the numbers of AdCOM 1.0, "Creative Subtypes: Audio/Video". */
const VAST_VERSIONS = '2,3,5,6,7,8,11,12,13,14,15,16';

type MacroInputs = {
  readonly session: AdRequestSession;
  readonly adBreak: AdRequestBreak;
  readonly at: AdRequestStamp;
};

const wholeSeconds = ({ adBreak }: MacroInputs): string => String(Math.round(adBreak.duration));
const maxAds = ({ adBreak }: MacroInputs): string => (adBreak.maxAds === undefined ? UNKNOWN : String(adBreak.maxAds));
const rounded = (seconds: number): string => String(Math.round(seconds * 1000) / 1000);
const cacheBuster = ({ at }: MacroInputs): string => at.cacheBuster();
const always = (value: string) => (): string => value;

const requestMacros: Readonly<Record<OwnMacro, (of: MacroInputs) => string>> = {
  CACHEBUSTING: cacheBuster,
  // Names in use outside of VAST.
  CACHEBUSTER: cacheBuster,
  CACHE_BUSTER: cacheBuster,
  RANDOM: cacheBuster,
  TIMESTAMP: ({ at }) => new Date(at.now).toISOString(),
  TRANSACTIONID: ({ at }) => at.transactionId(),
  DEVICEIP: ({ session }) => session.viewer.address,
  DEVICEUA: ({ session }) => session.viewer.userAgent,
  SERVERUA: always('Midroll'),
  // Server-side, on behalf of a client.
  SERVERSIDE: always('1'),
  // In-stream.
  PLACEMENTTYPE: always('1'),
  BREAKPOSITION: ({ adBreak }) => BREAK_POSITIONS[adBreak.position ?? 'mid'],
  BREAKMAXDURATION: wholeSeconds,
  BREAKMAXADLENGTH: wholeSeconds,
  BREAKMINADLENGTH: always('1'),
  BREAKMAXADS: maxAds,
  ADCOUNT: maxAds,
  ADTYPE: always('video'),
  MEDIAMIME: always('video/mp4,application/x-mpegURL,application/dash+xml'),
  // Stitched ads run no scripts: neither VPAID nor SIMID.
  APIFRAMEWORKS: always(''),
  VASTVERSIONS: always(VAST_VERSIONS),
  SESSION_ID: ({ session }) => session.id,
  CHANNEL_ID: ({ session }) => session.channelId,
  BREAK_ID: ({ adBreak }) => adBreak.id,
  BREAK_START: ({ adBreak }) => new Date(adBreak.startsAt).toISOString(),
  BREAK_DURATION: ({ adBreak }) => rounded(adBreak.duration),
  BREAK_MAX_ADS: maxAds,
  BREAK_CONTENT_TIME: ({ adBreak }) => (adBreak.contentTime === undefined ? UNKNOWN : rounded(adBreak.contentTime)),
};

/** Macros that the player may set, with their values if it does not. */
const contentTime = ({ adBreak }: MacroInputs): string | undefined =>
  adBreak.contentTime === undefined ? undefined : formatVastTime(secondsToFlicks(adBreak.contentTime));
const unlessFromPlayer = new Map([
  ['MEDIAPLAYHEAD', contentTime],
  // The name of MEDIAPLAYHEAD before VAST 4.1.
  ['CONTENTPLAYHEAD', contentTime],
]);

/** The parameter of this name, else the last one whose name differs only in case. */
function parameterOf({ parameters }: AdRequestSession, name: string): string | undefined {
  if (Object.hasOwn(parameters, name)) return parameters[name];
  const upper = name.toUpperCase();
  let value: string | undefined;
  for (const known in parameters) if (known.toUpperCase() === upper) value = parameters[known];
  return value;
}

// Consent signals of a viewer. Players send them when they open a session, under the IAB's names for URLs (TCF 2.2 "URL-based
// services", US Privacy 1.0, GPP 1.1 "URL parameters"). Midroll passes them on without interpreting them: as macros, and as
// parameters of ad requests whose URL does not contain them.

/** The signals that every ad request must contain. */
const SIGNALS = ['gdpr', 'gdpr_consent', 'us_privacy', 'gpp', 'gpp_sid'].map((name) => {
  return { name, inUrl: new RegExp(`[?&;]${name}=`, 'i') };
});

type ParameterLookup = (name: string) => string | undefined;

/** VAST's [REGULATIONS]: the regulations that the player states apply (AdCOM 1.0, "Regs"). */
function regulations(parameter: ParameterLookup): string | undefined {
  const applicable = ['coppa', 'gdpr'].filter((name) => parameter(name) === '1');
  return applicable.length === 0 ? undefined : applicable.join(',');
}

/** @param macro in upper case @returns undefined for other macros, and when the player did not send the signal */
function consentMacro(macro: string, parameter: ParameterLookup): string | undefined {
  if (macro === 'REGULATIONS') return regulations(parameter);
  const name = signalOf(macro);
  return name === undefined ? undefined : parameter(name);
}

/** The session's consent signals that a request URL does not contain. */
export function consentToAdd(url: string, parameter: ParameterLookup): [name: string, value: string][] {
  return SIGNALS.flatMap(({ name, inUrl }): [string, string][] => {
    const value = parameter(name);
    return value === undefined || value === '' || inUrl.test(url) ? [] : [[name, value]];
  });
}

/** Values are computed on demand, because a URL contains only a few macros. */
export function requestVariables(session: AdRequestSession, adBreak: AdRequestBreak, at: AdRequestStamp): MacroValues {
  const inputs: MacroInputs = { session, adBreak, at };
  const parameter = (name: string): string | undefined => parameterOf(session, name);
  return (name) => {
    const upper = name.toUpperCase();
    // A parameter that the player did not send is empty, as in a request by the player itself.
    if (upper.startsWith('PLAYER.')) return parameter(name.slice(7)) ?? '';
    const known =
      (isOwnMacro(upper) ? requestMacros[upper](inputs) : undefined) ??
      (FROM_PLAYER.has(upper) ? parameter(upper) : undefined);
    const other = known ?? consentMacro(upper, parameter) ?? unlessFromPlayer.get(upper)?.(inputs);
    return other ?? (FROM_PLAYER.has(upper) ? UNKNOWN : undefined);
  };
}
