// Documents for the scripted ad server: one ad around a creative, and what the field makes of it.

export type TroubleAd = {
  readonly media: string;
  readonly title?: string;
  /** As it claims. */
  readonly duration?: string;
  readonly type?: string;
  /** More of the MediaFile's attributes. */
  readonly attributes?: string;
  readonly ad?: string;
  /** Instead of the MediaFiles. */
  readonly files?: string;
};

export const mediaFile = (url: string, type = 'video/mp4', attributes = ''): string =>
  `<MediaFile delivery="progressive" type="${type}" width="160" height="90" ${attributes}><![CDATA[${url}]]></MediaFile>`;

/** @param errorUrl is told `?code=` */
export const writeTroubleAd = (errorUrl: string, one: TroubleAd): string => {
  const { media, title = 'One', duration = '00:00:03', type, attributes, ad = '', files } = one;
  return `<Ad id="${title}" ${ad}><InLine><AdSystem>trouble</AdSystem><AdTitle>${title}</AdTitle>
<Error><![CDATA[${errorUrl}?code=[ERRORCODE]]]></Error><Impression><![CDATA[${errorUrl}?seen]]></Impression>
<Creatives><Creative id="c"><Linear><Duration>${duration}</Duration>
<MediaFiles>${files ?? mediaFile(media, type, attributes)}</MediaFiles></Linear></Creative></Creatives></InLine></Ad>`;
};

export const writeTroubleVast = (...ads: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<VAST version="4.2">${ads.join('\n')}</VAST>`;

export const writeWrapper = (tagUrl: string, errorUrl: string, attributes = ''): string =>
  `<Ad id="wrapper"><Wrapper ${attributes}><AdSystem>trouble</AdSystem>
<VASTAdTagURI><![CDATA[${tagUrl}]]></VASTAdTagURI><Error><![CDATA[${errorUrl}?code=[ERRORCODE]]]></Error>
<Impression/></Wrapper></Ad>`;
