// What the macros of an ad request say: VAST's own (the VAST 4.x macro registry, context "VAST request URIs"), and ours
// in the same brackets. It knows a session and a break; it refuses to know where a macro stands and how it is written.
import type { Millis } from '../../time/units.ts';
import type { MacroValues } from '../../vast/macros.ts';
import { consentMacro } from './consent.ts';

/** A session as its ad server may know it; what sessions/ keeps is one. */
export type AdRequestSession = {
  readonly id: string;
  readonly channelId: string;
  readonly tenant?: string;
  /** What the player sent when it opened the session. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly viewer: { readonly address: string; readonly userAgent: string };
};

export type AdRequestBreak = {
  readonly id: string;
  readonly startsAt: Millis;
  /** Seconds to fill. */
  readonly duration: number;
  readonly maxAds?: number;
};

/** What differs from one request to the next. */
export type AdRequestContext = {
  readonly now: Millis;
  /** A UUID; the same for the request and for every wrapper that it leads to. */
  readonly transactionId: string;
  /** Eight random digits. */
  readonly cacheBuster: string;
};

/** The value is not known, and would be told if it were (VAST 4.2 §6.1). */
const UNKNOWN = '-1';

/** Macros that only the player can know: a parameter of the opening request with the same name, in whatever case. */
const FROM_PLAYER = new Set(
  (
    'ADCATEGORIES APPBUNDLE BLOCKEDADCATEGORIES CLICKTYPE CLIENTUA CONTENTCAT CONTENTID CONTENTPLAYHEAD CONTENTURI ' +
    'DOMAIN DSAPARAMS DSAPUBRENDER DSAREQUIRED EXTENSIONS GDPRCONSENT GPPSECTIONID GPPSTRING IFA IFATYPE ' +
    'INVENTORYSTATE LATLONG LIMITADTRACKING MEDIAPLAYHEAD OMIDPARTNER PAGEURL PLAYBACKMETHODS PLAYERCAPABILITIES ' +
    'PLAYERSIZE REGULATIONS STOREID STOREURL VERIFICATIONVENDORS'
  ).split(' '),
);

/** VAST 2.0 to 4.3 and their wrappers, in the numbers of AdCOM 1.0, "Creative Subtypes: Audio/Video". */
const VAST_VERSIONS = '2,3,5,6,7,8,11,12,13,14,15,16';

/** What is known of one request. */
type MacroInputs = {
  readonly session: AdRequestSession;
  readonly asked: AdRequestBreak;
  readonly at: AdRequestContext;
};

const wholeSeconds = ({ asked }: MacroInputs): string => String(Math.round(asked.duration));
const mostAds = ({ asked }: MacroInputs): string => (asked.maxAds === undefined ? UNKNOWN : String(asked.maxAds));
const cacheBuster = ({ at }: MacroInputs): string => at.cacheBuster;
const always = (value: string) => (): string => value;

const ours = new Map<string, (of: MacroInputs) => string>([
  ['CACHEBUSTING', cacheBuster],
  // As others than VAST call it.
  ['CACHEBUSTER', cacheBuster],
  ['CACHE_BUSTER', cacheBuster],
  ['RANDOM', cacheBuster],
  ['TIMESTAMP', ({ at }) => new Date(at.now).toISOString()],
  ['TRANSACTIONID', ({ at }) => at.transactionId],
  ['DEVICEIP', ({ session }) => session.viewer.address],
  ['DEVICEUA', ({ session }) => session.viewer.userAgent],
  ['SERVERUA', always('Midroll')],
  // On behalf of a client that asked for it.
  ['SERVERSIDE', always('1')],
  // In-stream, in the middle of the content: a linear channel has no other breaks.
  ['PLACEMENTTYPE', always('1')],
  ['BREAKPOSITION', always('2')],
  ['BREAKMAXDURATION', wholeSeconds],
  ['BREAKMAXADLENGTH', wholeSeconds],
  ['BREAKMINADLENGTH', always('1')],
  ['BREAKMAXADS', mostAds],
  ['ADCOUNT', mostAds],
  ['ADTYPE', always('video')],
  ['MEDIAMIME', always('video/mp4,application/x-mpegURL,application/dash+xml')],
  // Nothing in a stitched ad runs: no VPAID, no SIMID.
  ['APIFRAMEWORKS', always('')],
  ['VASTVERSIONS', always(VAST_VERSIONS)],
  ['SESSION_ID', ({ session }) => session.id],
  ['CHANNEL_ID', ({ session }) => session.channelId],
  ['BREAK_ID', ({ asked }) => asked.id],
  ['BREAK_START', ({ asked }) => new Date(asked.startsAt).toISOString()],
  ['BREAK_DURATION', ({ asked }) => String(Math.round(asked.duration * 1000) / 1000)],
  ['BREAK_MAX_ADS', mostAds],
]);

/** The one of that name, else the last that differs from it in case alone. */
function parameterOf({ parameters }: AdRequestSession, name: string): string | undefined {
  if (Object.hasOwn(parameters, name)) return parameters[name];
  const upper = name.toUpperCase();
  let value: string | undefined;
  for (const known in parameters) if (known.toUpperCase() === upper) value = parameters[known];
  return value;
}

/** A macro is worked out when it is asked for: a URL has a few of them. */
export function requestVariables(session: AdRequestSession, asked: AdRequestBreak, at: AdRequestContext): MacroValues {
  const of: MacroInputs = { session, asked, at };
  const said = (name: string): string | undefined => parameterOf(session, name);
  return (name) => {
    const upper = name.toUpperCase();
    // A parameter that the player did not send is empty, as it would be in a request of the player's own.
    if (upper.startsWith('PLAYER.')) return said(name.slice(7)) ?? '';
    const known = ours.get(upper)?.(of) ?? (FROM_PLAYER.has(upper) ? said(upper) : undefined);
    return known ?? consentMacro(upper, said) ?? (FROM_PLAYER.has(upper) ? UNKNOWN : undefined);
  };
}
