const BLOCK = 512;

/**
 * A tar archive (ustar) of these files; the same files give the same bytes. `type` is the type of its entries, "2" for
 * links. Names have at most 100 bytes.
 */
export function tar(files: readonly (readonly [name: string, content: Buffer])[], type = "0"): Buffer {
  const blocks = files.flatMap(([name, content]) => {
    const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
    return [header(name, content.length, type), content, padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function header(name: string, size: number, type: string): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  block.write(name, 0);
  block.write(`${octal(0o644, 7)}${octal(0, 7)}${octal(0, 7)}`, 100); // mode, owner, group
  block.write(`${octal(size, 11)}${octal(0, 11)}`, 124); // and the time
  block.write(`        ${type}`, 148);
  block.write("ustar\u000000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}
