/**
 * Whether a name matches a glob: `*` is any run of characters, `?` a single one. Linear in the name and in the glob.
 */
export function globPattern(glob: string): (name: string) => boolean {
  return (name) => matches(name, glob) || matches(name.slice(name.lastIndexOf("/") + 1), glob);
}

/** Backtracks only to the last star, which is sufficient: an earlier star never needs to match more. */
function matches(name: string, glob: string): boolean {
  let [at, place, star, resume] = [0, 0, -1, 0];
  while (at < name.length) {
    if (glob[place] === "*") {
      star = place;
      resume = at;
      place += 1;
    } else if (place < glob.length && (glob[place] === "?" || glob[place] === name[at])) {
      at += 1;
      place += 1;
    } else if (star >= 0) {
      resume += 1;
      at = resume;
      place = star + 1;
    } else return false;
  }
  while (glob[place] === "*") place += 1;
  return place === glob.length;
}
