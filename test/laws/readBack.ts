// Manifests read back from their text, knowing only the standards: what the laws are checked on.

export type SeenSegment = {
  readonly number: number;
  readonly discontinuity: number;
  readonly uri: string;
  readonly map: string;
  readonly date: number;
  /** Microseconds. */
  readonly duration: number;
};

export type SeenPlaylist = { readonly target: number; readonly segments: readonly SeenSegment[] };

export function readHls(text: string): SeenPlaylist {
  const value = (tag: string) => Number(new RegExp(`^#${tag}:(\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  const segments: SeenSegment[] = [];
  let discontinuity = value('EXT-X-DISCONTINUITY-SEQUENCE');
  let map = '';
  let date = Number.NaN;
  let duration = Number.NaN;
  for (const line of text.split('\n')) {
    if (line === '#EXT-X-DISCONTINUITY') discontinuity += 1;
    else if (line.startsWith('#EXT-X-MAP:')) map = line;
    else if (line.startsWith('#EXT-X-PROGRAM-DATE-TIME:')) date = Date.parse(line.slice(25));
    else if (line.startsWith('#EXTINF:')) duration = Math.round(Number.parseFloat(line.slice(8)) * 1e6);
    else if (line !== '' && !line.startsWith('#')) {
      const number = value('EXT-X-MEDIA-SEQUENCE') + segments.length;
      segments.push({ number, discontinuity, uri: line, map, date, duration });
    }
  }
  return { target: value('EXT-X-TARGETDURATION'), segments };
}

export type SeenPeriod = {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly start: number;
  /** Of each Representation, by its id. */
  readonly offsets: Readonly<Record<string, string>>;
  readonly urls: Readonly<Record<string, readonly string[]>>;
};

const attribute = (tag: string, name: string): string | undefined => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];

function templateUrls(media: string, first: number, timeline: string): string[] {
  const urls: string[] = [];
  let time = 0;
  let number = first;
  for (const [tag] of timeline.matchAll(/<S\s[^>]*>/g)) {
    time = Number(attribute(tag, 't') ?? time);
    for (let left = Number(attribute(tag, 'r') ?? 0); left >= 0; left -= 1) {
      const identifiers: Readonly<Record<string, number>> = { Number: number, Time: time };
      // ISO/IEC 23009-1 5.3.9.4.4: an identifier may say how wide it is written.
      const named = media.replace(/\$(Number|Time)(?:%0(\d+)d)?\$/g, (_, name: string, width = '1') =>
        String(identifiers[name]).padStart(Number(width), '0'),
      );
      urls.push(named);
      number += 1;
      time += Number(attribute(tag, 'd'));
    }
  }
  return urls;
}

function readSet(set: string, offsets: Record<string, string>, urls: Record<string, string[]>): void {
  const head = set.slice(0, set.indexOf('<Representation'));
  for (const [representation] of set.matchAll(/<Representation\s[\s\S]*?<\/Representation>/g)) {
    const id = attribute(representation, 'id')!;
    const own = /<SegmentTemplate[^>]*>/.exec(representation)![0];
    const shared = /<SegmentTemplate[^>]*>/.exec(head)?.[0] ?? '';
    const of = (name: string) => attribute(own, name) ?? attribute(shared, name);
    const timeline =
      /<SegmentTimeline>[\s\S]*?<\/SegmentTimeline>/.exec(representation) ??
      /<SegmentTimeline>[\s\S]*?<\/SegmentTimeline>/.exec(head);
    offsets[id] = of('presentationTimeOffset') ?? '0';
    urls[id] = templateUrls(of('media')!, Number(of('startNumber') ?? 1), timeline?.[0] ?? '');
  }
}

export function readMpd(text: string): SeenPeriod[] {
  const availability = Date.parse(attribute(/<MPD[^>]*>/.exec(text)![0], 'availabilityStartTime')!);
  return [...text.matchAll(/<Period\s[\s\S]*?<\/Period>/g)].map(([period]) => {
    const offsets: Record<string, string> = {};
    const urls: Record<string, string[]> = {};
    for (const [set] of period.matchAll(/<AdaptationSet\s[\s\S]*?<\/AdaptationSet>/g)) readSet(set, offsets, urls);
    const tag = /<Period[^>]*>/.exec(period)![0];
    const start = availability + Math.round(Number(/PT([\d.]+)S/.exec(attribute(tag, 'start')!)![1]) * 1000);
    return { id: attribute(tag, 'id')!, start, offsets, urls };
  });
}
