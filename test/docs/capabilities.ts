// SPDX-License-Identifier: Apache-2.0
// What docs/comparison.md may claim about Midroll: the first cells of its tables, each with what proves it.

export type Capability = {
  /** The title of a test that fails if it is untrue, or the path of a file. */
  readonly proof: string;
  /** How the page would deny it. */
  readonly denial?: RegExp;
};

export const capabilities: Readonly<Record<string, Capability>> = {
  // Rows of "Hosted services".
  'runs on': { proof: 'src/adapters/sql/sqlStores.test.ts' },
  cost: { proof: 'LICENSE' },
  'linear channels made of on-demand assets': {
    proof: 'laws 1 to 7 hold with any schedule, late decisions and edits on air',
  },
  'ads in live streams': { proof: 'two viewers get different ads in two breaks of an HLS origin' },
  'ads in on-demand video': { proof: 'a film plays despite a slow ad server' },
  'HLS and DASH': { proof: 'a DASH session has the same ad ids in the MPD, the feed and VAST' },
  'ads for the player to insert (HLS interstitials, DASH alternative MPDs)': {
    proof: 'test/deploy/nginxGuided.system.ts',
    denial: /interstitial|guided|alternative/i,
  },
  'creatives converted to match the content': { proof: 'video and audio that change their form' },
  'which ad servers': { proof: 'data in the URLs of interactive files and static resources, and versions up to 4.4' },
  'several sources of ads for one break': { proof: 'a bidder that %s', denial: /bidding|bidders/i },
  'own code in ad requests and in the choice of ads': { proof: 'a hook drops, orders and adds ads' },
  'ads requested ahead of the break': {
    proof: 'one of two nodes requests the ads, and one of them uses the response, once',
    denial: /prefetch|before a break is\s+announced/i,
  },
  'beacons sent by': { proof: 'with tracking by the server, the feed contains no URLs that the server requests' },
  'a server-side beacon follows from': { proof: 'deliveries survive the process if the store is %s' },
  'code in the player': { proof: 'a client of the public format can follow an HLS session' },
  'content with DRM': { proof: 'HLS with AES-128 encryption' },
  'why an ad was not shown': { proof: 'docs/ads.md lists every field of a trace' },
  'origins in private networks': { proof: 'allows a name that resolves to a listed address, and only that address' },
  // Rows of "What Midroll does".
  'backup origins': {
    proof: 'a backup takes over and back, then slate (%s)',
    denial: /backup|switch to another origin/i,
  },
  'slate while an origin fails': {
    proof: 'viewers of a channel that wakes while its origin is down see slate, then content',
    denial: /no slate|slate while/i,
  },
  'breaks that end early, late or without notice': {
    proof: 'each part of a break that is extended has ads, a record and an avail of its own',
    denial: /end early|without notice/i,
  },
  'inserted breaks and blackouts': {
    proof: 'a blackout shows no content and no ads until it is ended',
    denial: /blackout|by hand/i,
  },
  'pre-roll for viewers who join': { proof: 'test/live/preroll.test.ts', denial: /pre-?roll/i },
  'markers passed to players': { proof: 'a playlist with %i ads in each break has the breaks of the origin' },
  'markers for distributors': { proof: 'test/laws/shared/markersOut.test.ts' },
  'bookmarks and seek bars in content time': { proof: 'src/vod/contentClock.test.ts', denial: /bookmark/i },
  subtitles: { proof: 'test/browser/subtitles.system.ts', denial: /subtitle/i },
  'guided insertion': { proof: 'test/live/guided/guidedLedger.test.ts', denial: /interstitial|guided|alternative/i },
  'frequency caps and competitive separation': { proof: 'test/stores/shownAds.test.ts', denial: /frequency cap/i },
  'rates of ad servers': { proof: 'test/stores/sourceRates.test.ts' },
  'viewers and breaks for ad partners': { proof: 'test/leap/leap.test.ts' },
  'long windows': { proof: 'patches of a schedule lead to the current MPD with any decisions, polls and edits' },
  'any node serves any viewer': {
    proof: 'a viewer is shown one stream by two processes that are killed and suspended',
  },
  'outages of stores': { proof: 'test/cluster/outages.system.ts' },
  'rolling upgrades': { proof: 'nodes are replaced under load, and no player notices' },
  'tries, replays and uncounted previews': {
    proof: 'a try reports each hop and each ad, and nothing is counted, tracked or stored',
  },
  reports: { proof: 'reports and ledger agree after twenty kills' },
  'alerts and webhooks': {
    proof: 'alerts fire and resolve, with signed events and what to look at',
    denial: /webhook/i,
  },
  'scopes, single sign-on, audit log': {
    proof: 'an entry contains who changed what, before and after, from where, and when',
  },
  'creatives in a container or object store': { proof: 'returns blobs for signed URLs only' },
};
