// What ad servers and their ads do to those who show them, each with what must come of it.
import { gzipSync } from 'node:zlib';
import { explainFailure } from '../../src/adapters/http/exchangeFailure.ts';
import type { SkipCode } from '../../src/ads/pod/adOutcome.ts';
import type { MisbehavingServer } from '../servers/misbehavingServer.ts';
import { mediaFile, type TroubleAd, writeTroubleAd, writeTroubleVast, writeWrapper } from './troubleVast.ts';

export type Outcome = {
  /** Of the break. */
  readonly code?: string;
  /** Of an ad that is not shown. */
  readonly lost?: SkipCode;
  /** Stand in the reason of the break or of an ad. */
  readonly names?: readonly string[];
  /** Titles of what is shown. */
  readonly shows?: readonly string[];
  /** What an Error URL is told. */
  readonly told?: number;
};

export type Trouble = {
  readonly name: string;
  /** Prepares the server. @returns where the channel asks, and more of its adSource */
  readonly prepare: (host: MisbehavingServer, media: string) => string | { readonly url: string };
  readonly outcome: Outcome;
};

const sends =
  (body: (host: MisbehavingServer, media: string) => string | Buffer, headers: Record<string, string> = {}) =>
  (host: MisbehavingServer, media: string): string => {
    host.on('/vast', (response) => {
      response.writeHead(200, { 'content-type': 'application/xml', ...headers }).end(body(host, media));
    });
    return '/vast';
  };
const ads = (...offered: readonly (Omit<TroubleAd, 'media'> & { readonly media: string })[]) =>
  sends((host, media) =>
    writeTroubleVast(
      ...offered.map((one) => writeTroubleAd(`${host.url}/error`, { ...one, media: `${media}/${one.media}` })),
    ),
  );
const creative = (media: string, more: Omit<TroubleAd, 'media'> = {}) => ads({ media, ...more });

/** A wrapper in front of whatever the server does at a path. */
const wrapping = (path: string, attributes = '') =>
  sends((host) => writeTroubleVast(writeWrapper(host.url + path, `${host.url}/error`, attributes)));

const shown: Outcome = { code: 'TOO_FEW_ADS', shows: ['One'] };
const failed = (code: string, ...names: readonly string[]): Outcome => ({ code, names });
/** @param errorCode of Node's own, or of its parser's */
const broken = (errorCode: string): Outcome =>
  failed('AD_SERVER_FAILED', explainFailure(Object.assign(new Error(), { code: errorCode })).reason);
const lost = (code: SkipCode, told?: number, ...names: readonly string[]): Outcome => ({
  ...{ code: 'NO_AD_SHOWN', lost: code, names },
  ...(told === undefined ? {} : { told }),
});
const plainAd = (host: MisbehavingServer, media: string, more: Partial<TroubleAd> = {}) =>
  writeTroubleAd(`${host.url}/error`, { media: `${media}/plain.mp4`, ...more });

const exchange: readonly Trouble[] = [
  { name: 'never answers', prepare: () => '/never', outcome: failed('AD_SERVER_TIMEOUT', '700') },
  { name: 'sends a byte now and then', prepare: () => '/drip', outcome: failed('AD_SERVER_TIMEOUT', '700') },
  { name: 'resets the connection', prepare: () => '/reset', outcome: broken('ECONNRESET') },
  { name: 'ends in the middle', prepare: () => '/half', outcome: broken('UND_ERR_SOCKET') },
  { name: 'does not speak HTTP', prepare: () => '/notHttp', outcome: broken('HPE_INVALID') },
  {
    name: 'is not there',
    prepare: () => ({ url: 'http://127.0.0.1:9/' }),
    outcome: broken('ECONNREFUSED'),
  },
  { name: 'answers 500', prepare: () => '/status?code=500', outcome: failed('AD_SERVER_FAILED', '500') },
  { name: 'answers 404', prepare: () => '/status?code=404', outcome: failed('AD_SERVER_FAILED', '404') },
  { name: 'redirects in circles', prepare: () => '/loop', outcome: failed('AD_SERVER_FAILED', ' 5 ') },
  { name: 'sends without end', prepare: () => '/endless', outcome: failed('AD_SERVER_FAILED', '2097152') },
  { name: 'announces 100 MB', prepare: () => '/declaresTooMuch', outcome: failed('AD_SERVER_FAILED', '2097152') },
  {
    name: 'sends 50 MB in a small gzip',
    prepare: () => '/bomb',
    outcome: failed('AD_SERVER_FAILED', '2097152'),
  },
  { name: 'says gzip and is not', prepare: () => '/notGzip', outcome: broken('Z_DATA_ERROR') },
  { name: 'answers 204', prepare: () => '/nothing', outcome: failed('NO_ADS', '204') },
  { name: 'sends a page of HTML', prepare: () => '/html', outcome: failed('VAST_UNREADABLE') },
  {
    name: 'sends VAST 1 with URLs that are relative',
    prepare: sends(
      (_, media) => `<VideoAdServingTemplate><Ad id="1"><InLine><AdTitle>One</AdTitle><Video><MediaFiles>
<MediaFile type="video/mp4"><URL>${media.replace(/^http:/, '')}/plain.mp4</URL></MediaFile></MediaFiles></Video></InLine></Ad></VideoAdServingTemplate>`,
    ),
    outcome: shown,
  },
  {
    name: 'ends its document before the ad, which names https:/host',
    prepare: sends((host, media) => writeTroubleVast('</VAST>', plainAd(host, media.replace('://', ':/')))),
    outcome: shown,
  },
  {
    name: 'sends JSON',
    prepare: sends(() => '{"ads":[]}', { 'content-type': 'application/json' }),
    outcome: failed('VAST_UNREADABLE'),
  },
  { name: 'has no ad', prepare: sends(() => writeTroubleVast()), outcome: failed('NO_ADS', 'VAST') },
  {
    name: 'redirects to its ad',
    prepare: (host, media) => `/redirect?code=307&to=${encodeURIComponent(creative('plain.mp4')(host, media))}`,
    outcome: shown,
  },
  {
    name: 'sends gzip',
    prepare: sends((host, media) => gzipSync(writeTroubleVast(plainAd(host, media))), { 'content-encoding': 'gzip' }),
    outcome: shown,
  },
];

const documents: readonly Trouble[] = [
  {
    name: 'writes Latin-1 after a blank line, in the wrong case',
    prepare: sends((host, media) => {
      const text = writeTroubleVast(plainAd(host, media, { title: 'Käse' }));
      const odd = text
        .replace('UTF-8', 'ISO-8859-1')
        .replaceAll('MediaFile', 'MEDIAFILE')
        .replaceAll('InLine', 'Inline');
      return Buffer.from(`\n${odd}`, 'latin1');
    }),
    outcome: { code: 'TOO_FEW_ADS', shows: ['Käse'] },
  },
  {
    name: 'writes & where &amp; was meant',
    prepare: sends((host, media) =>
      writeTroubleVast(plainAd(host, media)).replace(
        '<Impression>',
        '<Impression>http://127.0.0.1:9/?a=1&b=2</Impression><Impression>',
      ),
    ),
    outcome: shown,
  },
  {
    name: 'wraps itself',
    prepare: wrapping('/vast'),
    outcome: lost('WRAPPER_LOOP', 302),
  },
  {
    name: 'wraps on and on',
    prepare: (host) => {
      host.on('/deep', (response, _, query) => {
        const next = `${host.url}/deep?n=${Number(query.get('n')) + 1}`;
        response.writeHead(200).end(writeTroubleVast(writeWrapper(next, `${host.url}/error`)));
      });
      return '/deep?n=0';
    },
    outcome: lost('WRAPPER_LIMIT', 302, ' 5 '),
  },
  { name: 'wraps what never answers', prepare: wrapping('/never'), outcome: lost('WRAPPER_TIMEOUT', 301) },
  { name: 'wraps nothing', prepare: wrapping('/empty'), outcome: lost('WRAPPER_EMPTY', 303) },
  { name: 'wraps what is not there', prepare: wrapping('/gone'), outcome: lost('WRAPPER_FAILED', 301, '404') },
  { name: 'wraps HTML', prepare: wrapping('/html'), outcome: lost('VAST_UNREADABLE') },
  {
    name: 'wraps its ad',
    prepare: (host, media) => {
      host.on('/inner', (response) => void response.writeHead(200).end(writeTroubleVast(plainAd(host, media))));
      return wrapping('/inner')(host, media);
    },
    outcome: shown,
  },
];

const offers: readonly Trouble[] = [
  {
    name: 'offers only a script',
    prepare: creative('unit.js', { type: 'application/javascript', attributes: 'apiFramework="VPAID"' }),
    outcome: lost('NO_MEDIA_FILE', 403, 'VPAID'),
  },
  {
    name: 'offers a script that decides whether it is an ad',
    prepare: creative('unit.js', { ad: 'conditionalAd="true"', attributes: 'apiFramework="VPAID"' }),
    outcome: lost('CONDITIONAL', 200),
  },
  {
    name: 'offers a picture',
    prepare: creative('still.png', { type: 'image/png' }),
    outcome: lost('NO_MEDIA_FILE', 403, 'image/png'),
  },
  {
    name: 'offers a media file whose URL is malformed',
    prepare: creative('', { files: mediaFile('htp:///spot.mp4') }),
    outcome: lost('NO_MEDIA_FILE', 403, 'htp:///spot.mp4'),
  },
  {
    name: 'sends an Ad of no kind',
    prepare: sends((host) =>
      writeTroubleVast('<Ad id="1"><Sponsored/></Ad>', `<Error>${host.url}/error?code=[ERRORCODE]</Error>`),
    ),
    outcome: lost('NEITHER_INLINE_NOR_WRAPPER', 101, 'Sponsored'),
  },
  {
    name: 'sends JSON',
    prepare: sends(() => '{"ads": []}', { 'content-type': 'application/json' }),
    outcome: failed('VAST_UNREADABLE', 'JSON'),
  },
  { name: 'offers no media file', prepare: creative('', { files: ' ' }), outcome: lost('NO_MEDIA_FILE', 403) },
  {
    name: 'offers an overlay only',
    prepare: sends(() =>
      writeTroubleVast(
        '<Ad id="1"><InLine><Creatives><Creative><NonLinearAds><NonLinear width="1" height="1"/></NonLinearAds></Creative></Creatives></InLine></Ad>',
      ),
    ),
    outcome: lost('NOT_LINEAR'),
  },
  { name: 'claims 30 s', prepare: creative('plain.mp4', { duration: '00:00:30' }), outcome: shown },
  { name: 'claims nothing', prepare: creative('plain.mp4', { duration: 'soon' }), outcome: shown },
  {
    name: 'claims 3 s of 8',
    prepare: creative('long.mp4'),
    outcome: lost('BREAK_DURATION_EXCEEDED', 202, '8.00', '6.00'),
  },
  { name: 'calls MP4 WebM', prepare: creative('plain.mp4', { type: 'video/webm' }), outcome: shown },
  {
    name: 'offers the same twice',
    prepare: ads({ media: 'plain.mp4' }, { media: 'plain.mp4', title: 'Two' }),
    outcome: { ...shown, lost: 'CREATIVE_REPEATED' },
  },
  {
    name: 'offers three thousand ads in an answer of 1.5 MB',
    prepare: ads(...Array.from({ length: 3000 }, () => ({ media: 'plain.mp4' }))),
    outcome: { ...shown, lost: 'CREATIVE_REPEATED', names: ['49'] },
  },
  {
    name: 'offers a file that is gone, and one that is there',
    prepare: sends((host, media) => {
      const files = mediaFile(`${media}/gone.mp4`) + mediaFile(`${media}/plain.mp4`);
      return writeTroubleVast(plainAd(host, media, { files }));
    }),
    outcome: shown,
  },
  {
    name: 'has macros in the media URL',
    prepare: (host, media) => {
      host.on('/media', (response) => void response.writeHead(302, { location: `${media}/plain.mp4` }).end());
      return sends(() => writeTroubleVast(plainAd(host, media, { media: `${host.url}/media?b=[CACHEBUSTING]` })))(
        host,
        media,
      );
    },
    outcome: shown,
  },
  {
    name: 'offers forty ads, one of which is there',
    prepare: ads(
      ...Array.from({ length: 39 }, (_, index) => ({ media: `gone-${index}.mp4`, title: `Gone ${index}` })),
      { media: 'plain.mp4' },
    ),
    outcome: { ...shown, names: ['39'] },
  },
];

const media: readonly Trouble[] = [
  { name: 'media: 404', prepare: creative('gone.mp4'), outcome: lost('CREATIVE_FAILED', 401, '404') },
  { name: 'media: zero bytes', prepare: creative('nothing.mp4'), outcome: lost('CREATIVE_FAILED', 405) },
  { name: 'media: a web page', prepare: creative('page.mp4'), outcome: lost('CREATIVE_FAILED', 405) },
  { name: 'media: noise', prepare: creative('noise.mp4'), outcome: lost('CREATIVE_FAILED', 405) },
  { name: 'media: cut off', prepare: creative('cut.mp4'), outcome: lost('CREATIVE_FAILED', 405) },
  { name: 'media: 0.4 s', prepare: creative('short.mp4'), outcome: lost('CREATIVE_FAILED', 202, '0.4') },
  {
    name: 'media: ten minutes',
    prepare: creative('tenMinutes.mp4'),
    outcome: lost('CREATIVE_FAILED', 202, '610', '600'),
  },
  { name: 'media: 4K HEVC', prepare: creative('hevc4k.mp4'), outcome: shown },
  { name: 'media: vertical', prepare: creative('vertical.mp4'), outcome: shown },
  { name: 'media: a phone clip, rotated', prepare: creative('rotated.mp4'), outcome: shown },
  { name: 'media: no sound', prepare: creative('silent.mp4'), outcome: shown },
  { name: 'media: 5.1 sound', prepare: creative('surround.mp4'), outcome: shown },
  { name: 'media: a variable frame rate', prepare: creative('variable.mp4'), outcome: shown },
  { name: 'media: 12 frames a second', prepare: creative('slowMotion.mp4'), outcome: shown },
  { name: 'media: WebM', prepare: creative('webm.webm', { type: 'video/webm' }), outcome: shown },
];

export const troubles: readonly Trouble[] = [...exchange, ...documents, ...offers, ...media];
