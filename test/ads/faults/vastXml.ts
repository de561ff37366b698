// SPDX-License-Identifier: Apache-2.0
// VAST documents for the ad servers of tests.

export type AdContent = {
  readonly media: string;
  readonly title?: string;
  /** The declared duration. */
  readonly duration?: string;
  readonly type?: string;
  /** Further attributes of the MediaFile. */
  readonly attributes?: string;
  readonly ad?: string;
  /** Instead of the MediaFiles. */
  readonly files?: string;
};

export const mediaFileXml = (url: string, type = 'video/mp4', attributes = ''): string =>
  `<MediaFile delivery="progressive" type="${type}" width="160" height="90" ${attributes}><![CDATA[${url}]]></MediaFile>`;

/** An Ad with an InLine. @param errorUrl receives the VAST error code as `?code=` */
export const inLineXml = (errorUrl: string, one: AdContent): string => {
  const { media, title = 'One', duration = '00:00:03', type, attributes, ad = '', files } = one;
  return `<Ad id="${title}" ${ad}><InLine><AdSystem>trouble</AdSystem><AdTitle>${title}</AdTitle>
<Error><![CDATA[${errorUrl}?code=[ERRORCODE]]]></Error><Impression><![CDATA[${errorUrl}?seen]]></Impression>
<Creatives><Creative id="c"><Linear><Duration>${duration}</Duration>
<MediaFiles>${files ?? mediaFileXml(media, type, attributes)}</MediaFiles></Linear></Creative></Creatives></InLine></Ad>`;
};

export const vastXml = (...ads: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<VAST version="4.2">${ads.join('\n')}</VAST>`;

export const wrapperXml = (tagUrl: string, errorUrl: string, attributes = ''): string =>
  `<Ad id="wrapper"><Wrapper ${attributes}><AdSystem>trouble</AdSystem>
<VASTAdTagURI><![CDATA[${tagUrl}]]></VASTAdTagURI><Error><![CDATA[${errorUrl}?code=[ERRORCODE]]]></Error>
<Impression/></Wrapper></Ad>`;
