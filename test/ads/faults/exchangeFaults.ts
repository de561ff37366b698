// SPDX-License-Identifier: Apache-2.0
// Faults of the HTTP exchange with the ad server, and responses that are not VAST.
import { gzipSync } from 'node:zlib';
import { connectionFailed, creative, type FaultCase, failed, plainAd, sends, shown } from './faultCase.ts';
import { vastXml } from './vastXml.ts';

export const exchangeFaults: readonly FaultCase[] = [
  { name: 'never responds', prepare: () => '/never', outcome: failed('AD_SERVER_TIMEOUT', '700') },
  { name: 'sends a few bytes at long intervals', prepare: () => '/drip', outcome: failed('AD_SERVER_TIMEOUT', '700') },
  { name: 'resets the connection', prepare: () => '/reset', outcome: connectionFailed('ECONNRESET') },
  {
    name: 'closes the connection in the middle of a response',
    prepare: () => '/half',
    outcome: connectionFailed('UND_ERR_SOCKET'),
  },
  { name: 'sends a response that is not HTTP', prepare: () => '/notHttp', outcome: connectionFailed('HPE_INVALID') },
  {
    name: 'refuses connections',
    prepare: () => ({ url: 'http://127.0.0.1:9/' }),
    outcome: connectionFailed('ECONNREFUSED'),
  },
  { name: 'returns 500', prepare: () => '/status?code=500', outcome: failed('AD_SERVER_FAILED', '500') },
  { name: 'returns 404', prepare: () => '/status?code=404', outcome: failed('AD_SERVER_FAILED', '404') },
  { name: 'redirects in a loop', prepare: () => '/loop', outcome: failed('AD_SERVER_FAILED', ' 5 ') },
  { name: 'sends an endless response', prepare: () => '/endless', outcome: failed('AD_SERVER_FAILED', '2097152') },
  {
    name: 'declares a content length of 100 MB',
    prepare: () => '/declaresTooMuch',
    outcome: failed('AD_SERVER_FAILED', '2097152'),
  },
  {
    name: 'sends 50 MB compressed to a small gzip body',
    prepare: () => '/bomb',
    outcome: failed('AD_SERVER_FAILED', '2097152'),
  },
  {
    name: 'declares gzip for a body that is not',
    prepare: () => '/notGzip',
    outcome: connectionFailed('Z_DATA_ERROR'),
  },
  { name: 'returns 204', prepare: () => '/nothing', outcome: failed('NO_ADS', '204') },
  { name: 'sends an HTML page', prepare: () => '/html', outcome: failed('VAST_UNREADABLE') },
  {
    name: 'sends VAST 1 with relative URLs',
    prepare: sends(
      (_, media) => `<VideoAdServingTemplate><Ad id="1"><InLine><AdTitle>One</AdTitle><Video><MediaFiles>
<MediaFile type="video/mp4"><URL>${media.replace(/^http:/, '')}/plain.mp4</URL></MediaFile></MediaFiles></Video></InLine></Ad></VideoAdServingTemplate>`,
    ),
    outcome: shown,
  },
  {
    name: 'closes the root before the ad, whose media URL has one slash',
    prepare: sends((host, media) => vastXml('</VAST>', plainAd(host, media.replace('://', ':/')))),
    outcome: shown,
  },
  { name: 'returns no ads', prepare: sends(() => vastXml()), outcome: failed('NO_ADS', 'VAST') },
  {
    name: 'redirects to its response',
    prepare: (host, media) => `/redirect?code=307&to=${encodeURIComponent(creative('plain.mp4')(host, media))}`,
    outcome: shown,
  },
  {
    name: 'sends gzip',
    prepare: sends((host, media) => gzipSync(vastXml(plainAd(host, media))), { 'content-encoding': 'gzip' }),
    outcome: shown,
  },
  {
    name: 'sends JSON',
    prepare: sends(() => '{"ads": []}', { 'content-type': 'application/json' }),
    outcome: failed('VAST_UNREADABLE', 'JSON'),
  },
];
