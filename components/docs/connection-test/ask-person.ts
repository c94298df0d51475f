/** The request that waits for the person. */
export interface Question {
  /** Opens it in its own window; false if the browser prevents it. */
  open(): boolean;
  /** Opens it in a tab, if a window is blocked. */
  address: string;
  stop(): void;
}

const WINDOW = "popup,width=540,height=780";

/** Shows the request with `show` until it is answered on the channel, or the person stops waiting. */
export async function askInWindow(
  address: string,
  channel: string,
  show: (question: Question | undefined) => void,
): Promise<URLSearchParams | undefined> {
  const heard = new BroadcastChannel(channel);
  let opened: Window | null = null;
  const answer = await new Promise<URLSearchParams | undefined>((resolve) => {
    heard.addEventListener("message", ({ data }) => resolve(new URLSearchParams(String(data))));
    show({
      address,
      open() {
        opened = window.open(address, "parquetry-consent", WINDOW);
        return opened !== null;
      },
      stop: () => resolve(undefined),
    });
  });
  show(undefined);
  heard.close();
  (opened as Window | null)?.close();
  return answer;
}
