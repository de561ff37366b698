// SPDX-License-Identifier: Apache-2.0
// Ads that cannot be shown, or that are described wrongly.
import { ads, creative, type FaultCase, plainAd, sends, shown, skips } from './faultCase.ts';
import { mediaFileXml, vastXml } from './vastXml.ts';

export const adFaults: readonly FaultCase[] = [
  {
    name: 'returns an ad with only a script',
    prepare: creative('unit.js', { type: 'application/javascript', attributes: 'apiFramework="VPAID"' }),
    outcome: skips('NO_MEDIA_FILE', 403, 'VPAID'),
  },
  {
    name: 'returns a conditional ad',
    prepare: creative('unit.js', { ad: 'conditionalAd="true"', attributes: 'apiFramework="VPAID"' }),
    outcome: skips('CONDITIONAL', 200),
  },
  {
    name: 'returns an ad with only an image',
    prepare: creative('still.png', { type: 'image/png' }),
    outcome: skips('NO_MEDIA_FILE', 403, 'image/png'),
  },
  {
    name: 'returns an ad with an invalid media URL',
    prepare: creative('', { files: mediaFileXml('htp:///spot.mp4') }),
    outcome: skips('NO_MEDIA_FILE', 403, 'htp:///spot.mp4'),
  },
  {
    name: 'returns an Ad without InLine and Wrapper',
    prepare: sends((host) =>
      vastXml('<Ad id="1"><Sponsored/></Ad>', `<Error>${host.url}/error?code=[ERRORCODE]</Error>`),
    ),
    outcome: skips('NEITHER_INLINE_NOR_WRAPPER', 101, 'Sponsored'),
  },
  {
    name: 'returns an ad without media files',
    prepare: creative('', { files: ' ' }),
    outcome: skips('NO_MEDIA_FILE', 403),
  },
  {
    name: 'returns an ad with only an overlay',
    prepare: sends(() =>
      vastXml(
        '<Ad id="1"><InLine><Creatives><Creative><NonLinearAds><NonLinear width="1" height="1"/></NonLinearAds></Creative></Creatives></InLine></Ad>',
      ),
    ),
    outcome: skips('NOT_LINEAR'),
  },
  { name: 'declares a longer duration', prepare: creative('plain.mp4', { duration: '00:00:30' }), outcome: shown },
  { name: 'declares an invalid duration', prepare: creative('plain.mp4', { duration: 'soon' }), outcome: shown },
  {
    name: 'declares 3 s for a creative of 8 s',
    prepare: creative('long.mp4'),
    outcome: skips('BREAK_DURATION_EXCEEDED', 202, '8.00', '6.00'),
  },
  { name: 'declares MP4 as WebM', prepare: creative('plain.mp4', { type: 'video/webm' }), outcome: shown },
  {
    name: 'returns the same creative twice',
    prepare: ads({ media: 'plain.mp4' }, { media: 'plain.mp4', title: 'Two' }),
    outcome: { ...shown, skipCode: 'CREATIVE_REPEATED' },
  },
  {
    name: 'returns 3000 ads in a response of 1.5 MB',
    prepare: ads(...Array.from({ length: 3000 }, () => ({ media: 'plain.mp4' }))),
    outcome: { ...shown, skipCode: 'CREATIVE_REPEATED', values: ['49'] },
  },
  {
    name: 'returns an ad with a missing and an existing media file',
    prepare: sends((host, media) => {
      const files = mediaFileXml(`${media}/gone.mp4`) + mediaFileXml(`${media}/plain.mp4`);
      return vastXml(plainAd(host, media, { files }));
    }),
    outcome: shown,
  },
  {
    name: 'returns a media URL with macros',
    prepare: (host, media) => {
      host.on('/media', (response) => void response.writeHead(302, { location: `${media}/plain.mp4` }).end());
      return sends(() => vastXml(plainAd(host, media, { media: `${host.url}/media?b=[CACHEBUSTING]` })))(host, media);
    },
    outcome: shown,
  },
  {
    name: 'returns 40 ads, one of which exists',
    prepare: ads(
      ...Array.from({ length: 39 }, (_, index) => ({ media: `gone-${index}.mp4`, title: `Gone ${index}` })),
      { media: 'plain.mp4' },
    ),
    outcome: { ...shown, values: ['39'] },
  },
];
