// SPDX-License-Identifier: Apache-2.0
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Notice } from '../components/feedback/Notice.tsx';

/** A component that is loaded when it is shown for the first time, so that the first page does not wait for it. */
export function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [state, setState] = useState<{ readonly error?: unknown; readonly isReady: boolean }>({
      isReady: Loaded !== undefined,
    });
    useEffect(() => {
      if (state.isReady) return;
      let isUnmounted = false;
      load().then(
        (component) => {
          Loaded = component;
          if (!isUnmounted) setState({ isReady: true });
        },
        (error: unknown) => isUnmounted || setState({ error, isReady: false }),
      );
      return () => {
        isUnmounted = true;
      };
    }, []);
    // Midroll is unavailable, or was updated since this page was opened.
    if (state.error !== undefined) return <Notice tone="warn">This part was not loaded. Reload the page.</Notice>;
    return Loaded === undefined ? null : <Loaded {...props} />;
  };
}
