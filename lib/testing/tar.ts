/** A tar of these files; `type` is that of its entries, "2" for links. */
export function tar(files: readonly (readonly [name: string, content: Buffer])[], type = "0"): Buffer {
  const blocks = files.flatMap(([name, content]) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(`${content.length.toString(8).padStart(11, "0")} `, 124);
    header.write(`        ${type}`, 148);
    header.write("ustar", 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
