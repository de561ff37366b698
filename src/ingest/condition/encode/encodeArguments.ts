// SPDX-License-Identifier: Apache-2.0
// The command line of the encoder. The number of frames and samples is computed beforehand (plan/planEncode.ts) and enforced
// by filters. So a source that is shorter than its header states holds its last frame. Each encode is written to its own file
// descriptor, from 3 on: videos first, then audios.
import { firstNumber, lastNumber, numberAt } from '../../../time/row.ts';
import { AAC_FRAME, audioBorder } from '../../../timeline/asset/frameGrid.ts';
import { type AudioEncode, audioGrid, type EncodePlan, type TimeShape, type VideoEncode } from '../plan/planEncode.ts';

/** The sources of video and audio: filter pads such as `[0:1]`, or a filter source. */
export type EncodeInput = {
  /** The arguments before the filters, including `-i`. */
  readonly inputs: readonly string[];
  readonly video?: string | undefined;
  readonly audio?: string | undefined;
  /** True for one picture that is shown all the time. */
  readonly isStill?: boolean;
  /** dB that bring the audio to the target loudness. */
  readonly gain: number;
};

const FRAGMENTED = '+empty_moov+default_base_moof+skip_trailer';

export function encodeArguments(input: EncodeInput, plan: EncodePlan, shape: TimeShape, threads: number): string[] {
  const graph = [...videoGraph(input, plan.videos, shape), ...audioGraph(input, plan.audios, shape)];
  return [
    ...[...quietly(threads), '-filter_complex_threads', `${threads}`],
    ...input.inputs,
    ...['-filter_complex', graph.join(';')],
    ...plan.videos.flatMap((video, index) => videoOutput(video, index, input, shape, threads)),
    ...plan.audios.flatMap((audio, index) => audioOutput(audio, index, plan.videos.length + index)),
  ];
}

function videoGraph(input: EncodeInput, videos: readonly VideoEncode[], shape: TimeShape): string[] {
  const largest = largestOf(videos);
  if (largest === undefined) return [];
  const rate = `${shape.rate.n}/${shape.rate.d}`;
  const source = [
    `${input.video}${DEINTERLACE}`,
    // start_time: as first_pts=0 for audio, both start at the same zero. eof_action: a picture that lasts less than half a frame
    // of a low rate is not dropped.
    `fps=${rate}:round=near:start_time=0:eof_action=pass`,
    ...fitInto(largest),
    `tpad=stop=-1:stop_mode=clone,trim=end_frame=${shape.frames}`,
    ...(shape.held > 0 ? [`tpad=stop=${shape.held}:stop_mode=clone`] : []),
    `settb=${shape.rate.d}/${shape.rate.n},setpts=N`,
    `split=${videos.length}${videos.map((_, index) => `[s${index}]`).join('')}`,
  ];
  const rungs = videos.map(({ width: w, height: h }, i) => `[s${i}]scale=${w}:${h}:flags=bicubic,setsar=1[v${i}]`);
  return [source.join(','), ...rungs];
}

/** Samples by which the encoders delay audio: AAC by a whole frame, which it also adds; AC-3 by half a transform. */
const PRIMING = { aac: AAC_FRAME, ac3: 256, eac3: 256 } as const;
const ADDED = { aac: AAC_FRAME, ac3: 0, eac3: 0 } as const;

/** Cuts the delay of the encoder from the start, so that every sample has its exact time without an edit list. */
function audioGraph(input: EncodeInput, audios: readonly AudioEncode[], shape: TimeShape): string[] {
  if (audios.length === 0) return [];
  const chains = audios.map((audio, index) => {
    const { codec, sampleRate, channels, frameSamples } = audio;
    const [first, last] = [firstNumber(shape.borders), audioGrid(shape, audio).borders];
    const start = audioBorder(first, shape.rate, sampleRate, frameSamples);
    const played = (audioBorder(first + shape.frames, shape.rate, sampleRate, frameSamples) - start) * frameSamples;
    const stored = (lastNumber(last) - start) * frameSamples + PRIMING[codec] - ADDED[codec];
    const format = `aformat=sample_fmts=fltp:channel_layouts=${CHANNEL_LAYOUTS[channels]}`;
    const sound =
      input.audio === undefined
        ? [`anullsrc=r=${sampleRate}:cl=${CHANNEL_LAYOUTS[channels]}`, format]
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
      // A graph without input starts before it knows the frame size of the encoder, and AC-3 accepts no other.
      `asetnsamples=n=${frameSamples}:p=0`,
      `asettb=1/${sampleRate},asetpts=N[a${index}]`,
    ].join(',');
  });
  if (input.audio === undefined) return chains;
  return [`${input.audio}asplit=${audios.length}${audios.map((_, index) => `[x${index}]`).join('')}`, ...chains];
}

function videoOutput(
  video: VideoEncode,
  index: number,
  input: EncodeInput,
  shape: TimeShape,
  threads: number,
): string[] {
  const { isStill = false } = input;
  const { rate, borders, step } = shape;
  const first = numberAt(borders, 1) - firstNumber(borders);
  const last = numberAt(borders, borders.length - 2) - firstNumber(borders);
  const keyFrames = `expr:lte(n,${last})*(eq(n,0)+gte(n,${first})*not(mod(n-${first},${step})))`;
  const longest = 2 * Math.max(first, step);
  // Otherwise the quality of a still picture falls at each key frame and rises again, which is visible at the edges of letters.
  const steady = isStill ? ':qcomp=1' : '';
  // Parameter sets that do not depend on content or bit rate, so creatives and slate of a rung have the same.
  const x264 = ['-sc_threshold', '0', '-keyint_min', '1', '-x264-params', `stitchable=1${steady}`];
  const x265 = `bframes=0:keyint=${longest}:min-keyint=1:scenecut=0:open-gop=0:log-level=error:pools=${threads}${steady}`;
  const encoder =
    video.codec === 'h264'
      ? ['libx264', '-profile:v', video.profile, '-level:v', video.level ?? '4.0', ...x264]
      : ['libx265', '-tag:v', video.tag, '-x265-params', x265];
  return [
    ...['-map', `[v${index}]`, '-c:v', ...encoder, '-preset', 'superfast', '-threads', `${threads}`, '-bf', '0'],
    ...['-g', `${longest}`, '-forced-idr', '1', '-force_key_frames', keyFrames],
    // Slate is mostly still: constant quality, limited by the bit rate of the rung.
    ...(shape.kind === 'slate' ? ['-crf', isStill ? '20' : '23'] : ['-b:v', `${video.kbps}k`]),
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

// Parts of command lines that several runs of ffmpeg share.

/** Containers that contain their media. A playlist, even one named .mp4, would make ffmpeg open the URLs that it lists. */
const CONTAINERS = 'mov,mpegts,matroska,mpeg,mxf,avi,flv,asf,ogg,mp3,aac,wav,flac';

/** Opens a saved file and nothing else, in a permitted container only. */
export const safeInput = (file: string): string[] => [
  ...['-protocol_whitelist', 'file', '-format_whitelist', CONTAINERS, '-max_pixels', '36000000'],
  ...['-i', file],
];

/** Opens a file with the pixels of one picture, as slateCard.ts writes them. */
export const cardInput = (file: string, { width, height }: Pick<VideoEncode, 'width' | 'height'>): string[] => [
  ...['-f', 'rawvideo', '-pixel_format', 'rgb24', '-video_size', `${width}x${height}`, '-framerate', '25', '-i', file],
];

/** Without input from the terminal, and with warnings and errors only on stderr. */
export const quietly = (threads: number): string[] => [
  ...['-hide_banner', '-nostdin', '-v', 'warning', '-threads', `${threads}`],
];

export const CHANNEL_LAYOUTS = { 1: 'mono', 2: 'stereo', 6: '5.1' } as const;

/** Deinterlaces the frames that are marked as interlaced. The filter requires at least 8 × 8 pixels. */
export const DEINTERLACE = "scale=w='max(8,iw)':h='max(8,ih)',bwdif=deint=interlaced";

/** Scales a picture of any shape to fit into this size, centered between bars. */
export function fitInto({ width, height }: Pick<VideoEncode, 'width' | 'height'>): string[] {
  const side = (most: number, own: string, other: string, fits: string): string =>
    `'max(2,2*floor(min(${most},round(${own}*${fits}/${other}))/2))'`;
  const [w, h] = [side(width, 'iw', 'ih', `${height}`), side(height, 'ih', 'iw', `${width}`)];
  return [
    `scale=w='clip(trunc(iw*sar/2)*2,2,16384)':h=ih,setsar=1`,
    `scale=w=${w}:h=${h}:flags=bicubic:out_color_matrix=bt709:out_range=tv`,
    `pad=${width}:${height}:-1:-1,setsar=1,format=yuv420p`,
  ];
}

export const largestOf = (videos: readonly VideoEncode[]): VideoEncode | undefined =>
  [...videos].sort((a, b) => b.width * b.height - a.width * a.height)[0];
