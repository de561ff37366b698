// SPDX-License-Identifier: Apache-2.0
// What ffmpeg is started with: one of the demo's videos in a loop, in real time, in two sizes and with audio apart. Segments of
// 2 s in fragmented MP4 and their playlists are uploaded with HTTP PUT, as encoders do.

/** Keyframes, and so the borders of all segments, are every 2 s. */
export const SEGMENT_SECONDS = 2;
const FRAMES_PER_SECOND = 25;
/** The origin lists as many segments. */
export const LISTED_SEGMENTS = 15;

export type EncoderSetup = {
  /** The folder of a video, with its tracks in `v0` and `a0`. */
  readonly film: string;
  /** Segments of each track. */
  readonly filmSegments: number;
  /** The name of this start of the encoder. It is in the names of all segments, so the segments of two starts differ. */
  readonly run: string;
  /** Where files are uploaded to, without a slash at the end. */
  readonly uploadUrl: string;
  /** Whether the time is drawn into the picture. Some builds of ffmpeg have no fonts. */
  readonly hasClock: boolean;
};

/** One track as a single file, which ffmpeg can repeat without an end. */
function looped(folder: string, segments: number): string[] {
  const files = Array.from({ length: segments }, (_, index) => `${folder}/${index + 1}.m4s`);
  return ['-re', '-stream_loop', '-1', '-i', `concat:${[`${folder}/init.mp4`, ...files].join('|')}`];
}

const clock =
  ',drawtext=font=DejaVu Sans:fontcolor=white:fontsize=22:x=w-tw-18:y=18:box=1:boxcolor=0xc0202a:boxborderw=8' +
  ":text='LIVE  %{gmtime\\:%T} UTC'";

const video = (index: number, kilobits: number): string[] => [
  ...[
    `-maxrate:v:${index}`,
    `${kilobits}k`,
    `-bufsize:v:${index}`,
    `${2 * kilobits}k`,
    `-b:v:${index}`,
    `${kilobits}k`,
  ],
];

export function encoderArguments({ film, filmSegments, run, uploadUrl, hasClock }: EncoderSetup): string[] {
  const gop = `${SEGMENT_SECONDS * FRAMES_PER_SECOND}`;
  const graph = [
    `[0:v]fps=${FRAMES_PER_SECOND}${hasClock ? clock : ''},split[v0][large]`,
    '[large]scale=384:216[v1]',
    '[1:a]aresample=async=1[a0]',
  ].join(';');
  return [
    ...['-v', 'error', '-nostdin'],
    ...looped(`${film}/v0`, filmSegments),
    ...looped(`${film}/a0`, filmSegments),
    ...['-filter_complex', graph, '-map', '[v0]', '-map', '[v1]', '-map', '[a0]'],
    ...['-c:v', 'libx264', '-preset', 'superfast', '-tune', 'zerolatency', '-profile:v', 'high', '-threads', '1'],
    ...['-crf', '27', ...video(0, 500), ...video(1, 250)],
    ...['-g', gop, '-keyint_min', gop, '-sc_threshold', '0', '-c:a', 'aac', '-b:a', '64k'],
    ...['-f', 'hls', '-hls_time', `${SEGMENT_SECONDS}`, '-hls_list_size', `${LISTED_SEGMENTS}`],
    ...['-hls_segment_type', 'fmp4', '-hls_flags', 'program_date_time+independent_segments', '-method', 'PUT'],
    ...['-master_pl_name', 'master.m3u8', '-hls_fmp4_init_filename', `${run}-init-%v.mp4`],
    ...['-hls_segment_filename', `${uploadUrl}/${run}-%v-%d.m4s`],
    ...['-var_stream_map', 'v:0,agroup:a,name:v0 v:1,agroup:a,name:v1 a:0,agroup:a,name:a0,language:en,default:yes'],
    `${uploadUrl}/%v.m3u8`,
  ];
}
