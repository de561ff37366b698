// SPDX-License-Identifier: Apache-2.0
// Watches a video element as a viewer would, independently of what the player reports.
//
// Video with audio runs on the clock of the audio output, which sometimes stops on a busy machine. Stalls are therefore measured
// by that clock too, and its stops and the time that it loses are reported separately.

const EVERY_MS = 50;
const STALL_MS = 500;
/** Seconds between two frames. */
const LONG_GAP = 0.25;
/** Seconds between a position that was sought to and the same position. */
const SAME = 0.1;
/** Seconds after a seek until playback has continued. */
const PLAYED = 0.4;
/** Milliseconds without a cue; the videos of the tests with subtitles have cues more often. */
const SILENCE_MS = 30_000;

/** @param showsText whether cues are due */
export function watch(video, driver, showsText) {
  const startedAt = performance.now();
  const report = {
    stalls: [],
    clockStops: [],
    silences: [],
    seeks: [],
    resumed: [],
    spans: [],
    latency: [],
    cues: [],
    holes: [],
    longestFrameGap: 0,
    gaps: [],
  };
  const audio = new AudioContext();
  /** The time of the page when the audio clock started, in milliseconds. */
  let audioStart;
  const audioNow = (now) => {
    if (audio.state !== 'running') return now;
    audioStart ??= now - audio.currentTime * 1000;
    return audioStart + audio.currentTime * 1000;
  };
  let first;
  let last;
  let dated = 0;
  let frameAt;
  /** A seek of the test, until playback continues: its target, and the position when the video element had completed it. */
  let asked;

  const frame = (now) => {
    if (frameAt !== undefined && first) {
      // A player may show a frame long before it plays: rx-player is paused until it has buffered enough.
      const length = (now - Math.max(frameAt, first.now)) / 1000;
      report.longestFrameGap = Math.max(report.longestFrameGap, length);
      if (length > LONG_GAP) report.gaps.push({ at: video.currentTime, length, wall: Date.now() });
    }
    frameAt = now;
    video.requestVideoFrameCallback(frame);
  };
  video.requestVideoFrameCallback(frame);

  video.addEventListener('seeking', () => {
    // A player may set the same position again, as dash.js does when it opens another Period for it.
    if (asked && (!asked.hasBegun || Math.abs(video.currentTime - asked.target) < SAME)) {
      asked.hasBegun = true;
      return;
    }
    if (!first) return;
    const [from, to] = [last.time, video.currentTime];
    report.seeks.push({ from, to, hole: unbuffered(from, to), wall: Date.now() });
  });

  video.addEventListener('seeked', () => {
    if (asked) asked.at ??= video.currentTime;
  });

  /** Seconds between two positions that are in no buffered range. */
  function unbuffered(from, to) {
    let rest = Math.max(0, to - from);
    for (let i = 0; i < video.buffered.length; i += 1) {
      rest -= Math.max(0, Math.min(to, video.buffered.end(i)) - Math.max(from, video.buffered.start(i)));
    }
    return rest;
  }

  const noted = new Set();
  let cueAt = startedAt;
  const silence = (now) =>
    showsText && now - cueAt > SILENCE_MS ? [{ length: (now - cueAt) / 1000, wall: Date.now() }] : [];
  /** Adds the cues on screen, each once, with the dates of the pictures below them. */
  const noteCues = (time, date) => {
    for (const track of video.textTracks) {
      if (track.mode !== 'showing' || !['subtitles', 'captions'].includes(track.kind)) continue;
      for (const { text, startTime, endTime } of track.cues ?? []) {
        // A late sample still counts a cue of the last five seconds, which the browser has shown.
        if (startTime > time || endTime < time - 5) continue;
        const name = `${text} ${startTime.toFixed(3)}`;
        if (noted.has(name)) continue;
        noted.add(name);
        report.silences.push(...silence(performance.now()));
        cueAt = performance.now();
        report.cues.push({ text, from: date + (startTime - time) * 1000, to: date + (endTime - time) * 1000 });
      }
    }
  };

  const sample = () => {
    const now = performance.now();
    const time = video.currentTime;
    if (!first) {
      if (time > 0 && !video.paused && !video.seeking && video.getVideoPlaybackQuality().totalVideoFrames > 0) {
        first = { now, time, audioTime: audioNow(now) };
        last = first;
      }
      return;
    }
    if (asked) {
      if (!video.ended && !(asked.at !== undefined && time > asked.target + PLAYED)) return;
      report.resumed.push({ target: asked.target, at: asked.at, span: driver.span() });
      asked = undefined;
      video.playbackRate = video.defaultPlaybackRate;
      last = { now, time, audioTime: audioNow(now) };
    }
    // After a seek, what was buffered before it may remain.
    if (video.buffered.length > 1 && report.resumed.length === 0) report.holes.push({ at: time, wall: Date.now() });
    const span = driver.span();
    if (span !== undefined && span !== report.spans.at(-1)) report.spans.push(span);
    const date = driver.date();
    if (date) noteCues(time, date);
    if (date && now - dated > 1000) {
      dated = now;
      report.latency.push((Date.now() - date) / 1000);
    }
    if (time === last.time && !video.paused && !video.ended) return;
    const { stalls, clockStops } = stopped(now, time);
    report.stalls.push(...stalls);
    report.clockStops.push(...clockStops);
    last = { now, time, audioTime: audioNow(now) };
  };
  /** The stop since the last sample, if there was one. */
  function stopped(now, time) {
    const byAudio = Math.min(now - last.now, audioNow(now) - last.audioTime);
    // When a sample is late, the media time has advanced too: that is not a stall.
    const isStop = (waited) => waited - Math.max(0, time - last.time) * 1000 > STALL_MS;
    const stop = (waited) => [{ at: last.time, length: waited / 1000, wall: Date.now() }];
    if (isStop(byAudio)) return { stalls: stop(byAudio), clockStops: [] };
    return { stalls: [], clockStops: isStop(now - last.now) ? stop(now - last.now) : [] };
  }
  const timer = setInterval(sample, EVERY_MS);

  /** The report so far. */
  const seen = () => {
    const now = performance.now();
    const { stalls, clockStops } =
      first && !video.ended ? stopped(now, video.currentTime) : { stalls: [], clockStops: [] };
    const { totalVideoFrames, droppedVideoFrames } = video.getVideoPlaybackQuality();
    return {
      ...report,
      stalls: [...report.stalls, ...stalls],
      clockStops: [...report.clockStops, ...clockStops],
      silences: [...report.silences, ...silence(now)],
      spans: report.spans.length,
      startup: first ? (first.now - startedAt) / 1000 : null,
      from: first?.time ?? null,
      to: video.currentTime,
      date: driver.date() || null,
      frozen: first && !video.ended ? (now - last.now) / 1000 : 0,
      watched: first ? (now - first.now) / 1000 : 0,
      clockLost: first ? (now - first.now - audioNow(now) + first.audioTime) / 1000 : 0,
      ended: video.ended,
      wall: Date.now(),
      duration: video.duration,
      frames: totalVideoFrames,
      dropped: droppedVideoFrames,
      buffered: Array.from({ length: video.buffered.length }, (_, i) => [
        video.buffered.start(i),
        video.buffered.end(i),
      ]),
    };
  };
  /** Seeks as the controls of a page do, and plays at normal speed from there. */
  const seekTo = (target) => {
    asked = { target };
    video.playbackRate = 1;
    video.currentTime = target;
    video.play().catch(() => {});
  };
  return { seen, seekTo, stop: () => clearInterval(timer) };
}
