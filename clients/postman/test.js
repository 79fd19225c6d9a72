pm.test('the response is documented', () => {
  const { type, members } = pm.response.code === 200 ? SUCCESS : FAILURE;
  const body = pm.response.json();
  pm.expect(body).to.be.an(type);
  if (members.length > 0) pm.expect(body).to.include.all.keys(members);
  if (pm.response.code !== 200) pm.expect(body.code).to.equal(pm.response.code);
});
