if (pm.response.code === 200) pm.collectionVariables.set('reference', pm.response.json().reference);
