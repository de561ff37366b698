// The encoder's command line. Everything is imposed and nothing is hoped for: how many frames and samples come out is
// counted before (conditionShape) and enforced by filters, so a source that is shorter than it claims holds its last
// picture. Each encode leaves on a file descriptor of its own, from 3 on: videos first, then audios.
import { AAC_FRAME, audioBorder } from '../../../timeline/asset/frameGrid.ts';
import type { AudioEncode, EncodePlan, VideoEncode } from '../plan/planEncode.ts';
import { audioGrid, type TimeShape } from '../plan/timeShape.ts';

/** Where picture and sound come from: filter pads such as `0:1`, or a filter source. */
export type EncodeInput = {
  /** Arguments before the filters, `-i` included. */
  readonly inputs: readonly string[];
  readonly video?: string;
  readonly audio?: string;
  /** dB that bring the sound to the target loudness. */
  readonly gain: number;
};

/** Containers that hold all that they play: of a playlist named .mp4 whatever it lists would be opened. */
const CONTAINERS = 'mov,mpegts,matroska,mpeg,mxf,avi,flv,asf,ogg,mp3,aac,wav,flac';

/** Only what was saved is opened, and only as what it may be. */
export const safeInput = (file: string): string[] => [
  ...['-protocol_whitelist', 'file', '-format_whitelist', CONTAINERS, '-max_pixels', '36000000'],
  ...['-i', file],
];

const LAYOUTS = { 1: 'mono', 2: 'stereo', 6: '5.1' } as const;
const FRAGMENTED = '+empty_moov+default_base_moof+skip_trailer';

export function encodeArguments(input: EncodeInput, plan: EncodePlan, shape: TimeShape, threads: number): string[] {
  const graph = [...videoGraph(input, plan.videos, shape), ...audioGraph(input, plan.audios, shape)];
  return [
    ...['-hide_banner', '-nostdin', '-v', 'warning', '-threads', `${threads}`, '-filter_complex_threads', `${threads}`],
    ...input.inputs,
    ...['-filter_complex', graph.join(';')],
    ...plan.videos.flatMap((video, index) => videoOutput(video, index, shape, threads)),
    ...plan.audios.flatMap((audio, index) => audioOutput(audio, index, plan.videos.length + index)),
  ];
}

/** Fields become frames where, and only where, a frame says that it has fields; the filter takes nothing smaller. */
const frames = "scale=w='max(8,iw)':h='max(8,ih)',bwdif=deint=interlaced";

/** A picture of any shape in the middle of one of this size, whole. */
function fitted({ width, height }: Size): string[] {
  const side = (most: number, own: string, other: string, fits: string): string =>
    `'max(2,2*floor(min(${most},round(${own}*${fits}/${other}))/2))'`;
  const [w, h] = [side(width, 'iw', 'ih', `${height}`), side(height, 'ih', 'iw', `${width}`)];
  return [
    `scale=w='clip(trunc(iw*sar/2)*2,2,16384)':h=ih,setsar=1`,
    `scale=w=${w}:h=${h}:flags=bicubic:out_color_matrix=bt709:out_range=tv`,
    `pad=${width}:${height}:-1:-1,setsar=1,format=yuv420p`,
  ];
}

type Size = { readonly width: number; readonly height: number };

const largestOf = (videos: readonly VideoEncode[]): VideoEncode | undefined =>
  [...videos].sort((a, b) => b.width * b.height - a.width * a.height)[0];

/** What is between the source and the encoder: large, quick to make, and as good as the source. */
const DRAFT = [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-qp',
  '10',
  '-fps_mode',
  'vfr',
  '-c:a',
  'pcm_s16le',
  '-f',
  'matroska',
];

/** Picture and sound of one size and one layout, whatever they are of. */
function oneForm({ videos, audios }: EncodePlan): { picture?: string; sound: string } {
  const largest = largestOf(videos);
  const layout = LAYOUTS[audios.some(({ channels }) => channels === 6) ? 6 : 2];
  return {
    ...(largest ? { picture: [frames, ...fitted(largest)].join(',') } : {}),
    sound: `aresample=48000,aformat=sample_fmts=s16:channel_layouts=${layout}`,
  };
}

/**
 * The first picture and the first sound of a file as they are, but of one form from their start to their end, into
 * `output`. Where they change on the way ffmpeg begins its filters anew, and then nothing can be counted.
 */
export function normalizeArguments(file: string, output: string, plan: EncodePlan, threads: number): string[] {
  const { picture, sound } = oneForm(plan);
  return [
    ...['-hide_banner', '-nostdin', '-v', 'warning', '-threads', `${threads}`, ...safeInput(file)],
    ...(picture ? ['-map', '0:V:0?', '-vf', picture] : []),
    ...['-map', '0:a:0?', '-af', sound, ...DRAFT, '-threads', `${threads}`, output],
  ];
}

/** Parts that each begin their time anew, one behind the other into `output`. */
export function joinArguments(
  parts: readonly { readonly video?: string; readonly audio?: string }[],
  output: string,
  plan: EncodePlan,
  threads: number,
): string[] {
  const { picture, sound } = oneForm(plan);
  const hasPicture = picture !== undefined && parts.every(({ video }) => video !== undefined);
  const hasSound = parts.every(({ audio }) => audio !== undefined);
  const inputs = [...new Set(parts.flatMap(({ video, audio }) => [video, audio]).filter((file) => file !== undefined))];
  const pads = parts.map(({ video, audio }, part) => [
    ...(hasPicture ? [[`[${inputs.indexOf(video!)}:V:0]${picture}[v${part}]`, `[v${part}]`] as const] : []),
    ...(hasSound ? [[`[${inputs.indexOf(audio!)}:a:0]${sound}[a${part}]`, `[a${part}]`] as const] : []),
  ]);
  const all = pads.flatMap((each) => each.map(([, pad]) => pad)).join('');
  const joined = `${all}concat=n=${parts.length}:v=${hasPicture ? 1 : 0}:a=${hasSound ? 1 : 0}`;
  const graph = [
    ...pads.flatMap((each) => each.map(([chain]) => chain)),
    `${joined}${hasPicture ? '[v]' : ''}${hasSound ? '[a]' : ''}`,
  ];
  return [
    ...['-hide_banner', '-nostdin', '-v', 'warning', '-threads', `${threads}`, ...inputs.flatMap(safeInput)],
    ...[
      '-filter_complex',
      graph.join(';'),
      ...(hasPicture ? ['-map', '[v]'] : []),
      ...(hasSound ? ['-map', '[a]'] : []),
    ],
    ...[...DRAFT, '-threads', `${threads}`, output],
  ];
}

function videoGraph(input: EncodeInput, videos: readonly VideoEncode[], shape: TimeShape): string[] {
  const largest = largestOf(videos);
  if (largest === undefined) return [];
  const rate = `${shape.rate.n}/${shape.rate.d}`;
  const source = [
    `${input.video}${frames}`,
    `fps=${rate}:round=near:start_time=0`, // with first_pts=0 below: picture and sound from one zero
    ...fitted(largest),
    `tpad=stop=-1:stop_mode=clone,trim=end_frame=${shape.frames}`,
    ...(shape.held > 0 ? [`tpad=stop=${shape.held}:stop_mode=clone`] : []),
    `settb=${shape.rate.d}/${shape.rate.n},setpts=N`,
    `split=${videos.length}${videos.map((_, index) => `[s${index}]`).join('')}`,
  ];
  const rungs = videos.map(
    ({ width, height }, index) => `[s${index}]scale=${width}:${height}:flags=bicubic,setsar=1[v${index}]`,
  );
  return [source.join(','), ...rungs];
}

/** Samples by which the encoders delay the sound: AAC by a whole frame, which it also adds, AC-3 by half a transform. */
const PRIMING = { aac: AAC_FRAME, ac3: 256, eac3: 256 } as const;
const ADDED = { aac: AAC_FRAME, ac3: 0, eac3: 0 } as const;

/** Cutting as many samples from the front puts every later one on its own time, without an edit list and without delay. */
function audioGraph(input: EncodeInput, audios: readonly AudioEncode[], shape: TimeShape): string[] {
  if (audios.length === 0) return [];
  const chains = audios.map((audio, index) => {
    const { codec, sampleRate, channels, frameSamples } = audio;
    const [first, last] = [shape.borders[0]!, audioGrid(shape, audio).borders];
    const start = audioBorder(first, shape.rate, sampleRate, frameSamples);
    const played = (audioBorder(first + shape.frames, shape.rate, sampleRate, frameSamples) - start) * frameSamples;
    const stored = (last.at(-1)! - start) * frameSamples + PRIMING[codec] - ADDED[codec];
    const format = `aformat=sample_fmts=fltp:channel_layouts=${LAYOUTS[channels]}`;
    const sound =
      input.audio === undefined
        ? [`anullsrc=r=${sampleRate}:cl=${LAYOUTS[channels]}`, format]
        : [
            `[x${index}]aresample=${sampleRate}:async=1:first_pts=0`,
            format,
            `volume=${input.gain.toFixed(2)}dB`,
            'alimiter=level=0:latency=1:limit=0.841',
            `apad,atrim=end_sample=${played},apad`,
          ];
    return [
      ...sound,
      `atrim=start_sample=${PRIMING[codec]}:end_sample=${stored}`,
      // Where nothing but filters makes sound, they start before they know the encoder's frame: AC-3 refuses any other.
      `asetnsamples=n=${frameSamples}:p=0`,
      `asettb=1/${sampleRate},asetpts=N[a${index}]`,
    ].join(',');
  });
  if (input.audio === undefined) return chains;
  return [`${input.audio}asplit=${audios.length}${audios.map((_, index) => `[x${index}]`).join('')}`, ...chains];
}

function videoOutput(video: VideoEncode, index: number, shape: TimeShape, threads: number): string[] {
  const { rate, borders, step } = shape;
  const first = borders[1]! - borders[0]!;
  const last = borders[borders.length - 2]! - borders[0]!;
  const keyFrames = `expr:lte(n,${last})*(eq(n,0)+gte(n,${first})*not(mod(n-${first},${step})))`;
  const longest = 2 * Math.max(first, step);
  const encoder =
    video.codec === 'h264'
      ? [
          'libx264',
          '-profile:v',
          video.profile,
          '-level:v',
          video.level ?? '4.0',
          '-sc_threshold',
          '0',
          '-keyint_min',
          '1',
          // Parameter sets that do not depend on the picture or the rate: creatives and slate of a rung have the same.
          '-x264-params',
          'stitchable=1',
        ]
      : [
          ...['libx265', '-tag:v', video.tag, '-x265-params'],
          `bframes=0:keyint=${longest}:min-keyint=1:scenecut=0:open-gop=0:log-level=error:pools=${threads}`,
        ];
  return [
    ...['-map', `[v${index}]`, '-c:v', ...encoder, '-preset', 'superfast', '-threads', `${threads}`, '-bf', '0'],
    ...['-g', `${longest}`, '-forced-idr', '1', '-force_key_frames', keyFrames],
    // Slate mostly stands still: it takes what a good picture needs, at most the rung's rate.
    ...(shape.kind === 'slate' ? ['-crf', '23'] : ['-b:v', `${video.kbps}k`]),
    ...['-maxrate', `${Math.ceil(video.kbps * 1.1)}k`, '-bufsize', `${video.kbps}k`],
    ...['-enc_time_base', `${rate.d}/${rate.n}`, '-video_track_timescale', `${video.timescale}`],
    ...['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709', '-color_range', 'tv'],
    ...['-movflags', `+frag_keyframe+negative_cts_offsets${FRAGMENTED}`, ...container(index)],
  ];
}

const audioOutput = (audio: AudioEncode, index: number, output: number): string[] => [
  ...['-map', `[a${index}]`, '-c:a', audio.codec, '-b:a', `${audio.kbps}k`],
  ...['-movflags', `+frag_every_frame${FRAGMENTED}${audio.codec === 'aac' ? '' : '+delay_moov'}`, ...container(output)],
];

const container = (output: number): string[] => [
  ...['-map_metadata', '-1', '-map_chapters', '-1', '-use_editlist', '0', '-f', 'mp4', `pipe:${3 + output}`],
];
