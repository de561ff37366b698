// What the macros of an ad request say: VAST's own (the VAST 4.x macro registry, context "VAST request URIs"), and ours
// in the same brackets. It knows a session and a break; it refuses to know where a macro stands and how it is written.
import type { Millis } from '../time/units.ts';
import type { MacroValues } from '../vast/macros.ts';
import { consentMacro } from './consent.ts';

/** A session as its ad server may know it; what sessions/ keeps is one. */
export type AskingSession = {
  readonly id: string;
  readonly channelId: string;
  /** What the player sent when it opened the session. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly viewer: { readonly address: string; readonly userAgent: string };
};

export type AskedBreak = {
  readonly id: string;
  readonly startsAt: Millis;
  /** Seconds to fill. */
  readonly duration: number;
  readonly maxAds?: number;
};

/** What differs from one request to the next. */
export type AskedNow = {
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

export function requestVariables(session: AskingSession, asked: AskedBreak, at: AskedNow): MacroValues {
  const { parameters, viewer } = session;
  const byUpperName = new Map(Object.entries(parameters).map(([name, value]) => [name.toUpperCase(), value]));
  const wholeSeconds = String(Math.round(asked.duration));
  const mostAds = asked.maxAds === undefined ? UNKNOWN : String(asked.maxAds);
  const own = new Map<string, string>([
    ['CACHEBUSTING', at.cacheBuster],
    // As others than VAST call it.
    ['CACHEBUSTER', at.cacheBuster],
    ['CACHE_BUSTER', at.cacheBuster],
    ['RANDOM', at.cacheBuster],
    ['TIMESTAMP', new Date(at.now).toISOString()],
    ['TRANSACTIONID', at.transactionId],
    ['DEVICEIP', viewer.address],
    ['DEVICEUA', viewer.userAgent],
    ['SERVERUA', 'Midroll'],
    // On behalf of a client that asked for it.
    ['SERVERSIDE', '1'],
    // In-stream, in the middle of the content: a linear channel has no other breaks.
    ['PLACEMENTTYPE', '1'],
    ['BREAKPOSITION', '2'],
    ['BREAKMAXDURATION', wholeSeconds],
    ['BREAKMAXADLENGTH', wholeSeconds],
    ['BREAKMINADLENGTH', '1'],
    ['BREAKMAXADS', mostAds],
    ['ADCOUNT', mostAds],
    ['ADTYPE', 'video'],
    ['MEDIAMIME', 'video/mp4,application/x-mpegURL,application/dash+xml'],
    // Nothing in a stitched ad runs: no VPAID, no SIMID.
    ['APIFRAMEWORKS', ''],
    ['VASTVERSIONS', VAST_VERSIONS],
    ['SESSION_ID', session.id],
    ['CHANNEL_ID', session.channelId],
    ['BREAK_ID', asked.id],
    ['BREAK_START', new Date(asked.startsAt).toISOString()],
    ['BREAK_DURATION', String(Math.round(asked.duration * 1000) / 1000)],
    ['BREAK_MAX_ADS', mostAds],
  ]);
  const said = (parameter: string): string | undefined => byUpperName.get(parameter.toUpperCase());
  return (name) => {
    const upper = name.toUpperCase();
    // A parameter that the player did not send is empty, as it would be in a request of the player's own.
    if (upper.startsWith('PLAYER.')) return parameters[name.slice(7)] ?? byUpperName.get(upper.slice(7)) ?? '';
    const known = own.get(upper) ?? (FROM_PLAYER.has(upper) ? said(upper) : undefined) ?? consentMacro(upper, said);
    return known ?? (FROM_PLAYER.has(upper) ? UNKNOWN : undefined);
  };
}
