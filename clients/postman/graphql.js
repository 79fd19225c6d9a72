pm.test('the response has no errors', () => {
  pm.expect(pm.response.code).to.equal(200);
  pm.expect(pm.response.json()).to.not.have.property('errors');
});
