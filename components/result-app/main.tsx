import { readResult, textOf } from "./app-result";
import { connectHost } from "./host";
import { show } from "./jsx-runtime";
import { PlainText, ResultView } from "./result-view";

const place = document.getElementById("result") as HTMLElement;

const host = connectHost({
  result(sent) {
    const result = readResult(sent);
    show(result ? <ResultView result={result} open={open} /> : <PlainText text={textOf(sent)} />, place);
  },
  cancelled: () => show(<PlainText text="The call was cancelled." />, place),
  context({ theme }) {
    if (theme) document.documentElement.dataset.theme = theme;
  },
  ready: () => new ResizeObserver(tellHeight).observe(document.body),
});

/** If the host does not open links, the URL is shown for copying. */
async function open(url: string): Promise<void> {
  const opened = await host.open(url);
  const address = document.getElementById("address");
  if (address) address.textContent = opened ? "" : url;
}

function tellHeight(): void {
  host.resize(Math.ceil(document.body.getBoundingClientRect().height));
}
