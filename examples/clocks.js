// SPDX-License-Identifier: Apache-2.0
// Converts between the two clocks of a VoD session: content time, without ads, and stream time, which players show.
// `breaks` are those of the response of /hls/view or /dash/view.

/** @returns seconds of stream time; at a break, its start, so that a viewer who seeks there sees its ads */
export function streamTime(contentTime, breaks) {
  return breaks.reduce((time, one) => (one.contentTime < contentTime ? time + one.duration : time), contentTime);
}

/** @returns seconds of content time; during a break, the content time at which it starts */
export function contentTime(streamTime, breaks) {
  return breaks.reduce(
    (time, one) => time - Math.min(Math.max(streamTime - one.streamTime, 0), one.duration),
    streamTime,
  );
}
